module physics_of_mushy_layers_in_a_column
  implicit none
contains
  function temperature_of_a_mushy_layer_of_salty_ice(enthalpy, salinity) result(t)
    real(8), intent(in) :: enthalpy, salinity
    real(8) :: t
    t = enthalpy/(2.0d0 + exp(-salinity))
    if (t > 0.5d0) t = 0.5d0 + log(1.0d0 + (t - 0.5d0)*salinity)
  end function
end module
