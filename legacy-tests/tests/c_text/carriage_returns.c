double t_carriage_returns(double x)
{
  /* a
     b */
  return x \
    * 2;
}
