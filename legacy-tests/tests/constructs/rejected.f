      subroutine fixed_dline(a)
d     print *, a
      a = 1.
      end
