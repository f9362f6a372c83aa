!> Shows a field: shades on the terminal, and a colour picture in a file.
module picture
  use parameters, only: wp
  implicit none
  private
  public :: show, write_ppm

contains

  !> Prints the field with north on top; dark for large, `-`, `=`, `#` for negative values.
  subroutine show(nx, ny, a)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: a(nx, ny)
    integer, parameter :: columns = 80, rows = 24
    character(len=3), parameter :: above(0:4) = [character(len=3) :: ' ', '░', '▒', '▓', '█']
    character(len=3), parameter :: below(0:4) = [character(len=3) :: ' ', '-', '=', '%', '#']
    real(wp) :: scale, value
    integer :: column, row, i, j, shade

    scale = maxval(abs(a))
    if (scale <= 0.0_wp) scale = 1.0_wp
    do row = rows, 1, -1
      j = ((2*row - 1)*ny)/(2*rows) + 1
      do column = 1, columns
        i = ((2*column - 1)*nx)/(2*columns) + 1
        value = a(i,j)/scale
        shade = min(int(5.0_wp*sqrt(abs(value))), 4)
        if (value >= 0.0_wp) then
          write (*, '(a)', advance='no') trim_shade(above(shade))
        else
          write (*, '(a)', advance='no') trim_shade(below(shade))
        end if
      end do
      write (*, '(a)') ''
    end do
  end subroutine show

  !> A shade without the padding, a blank for an empty one.
  pure function trim_shade(shade) result(text)
    character(len=*), intent(in) :: shade
    character(len=max(len_trim(shade), 1)) :: text

    text = shade
  end function trim_shade

  !> Writes the field as a binary PPM: blue for negative, white for zero, red for positive values.
  subroutine write_ppm(file, nx, ny, a)
    character(len=*), intent(in) :: file
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: a(nx, ny)
    integer, parameter :: enlarge = 4
    character, parameter :: full = char(255)
    character(len=40) :: header
    real(wp) :: scale, value
    integer :: unit, i, j, k, fade

    scale = maxval(abs(a))
    if (scale <= 0.0_wp) scale = 1.0_wp
    write (header, '(a, i0, 1x, i0, a)') 'P6'//new_line('a'), enlarge*nx, enlarge*ny, &
      new_line('a')//'255'//new_line('a')
    open (newunit=unit, file=file, access='stream', form='unformatted', status='replace')
    write (unit) trim(header)
    do j = enlarge*ny - 1, 0, -1
      do k = 0, enlarge*nx - 1
        i = k/enlarge + 1
        value = a(i, j/enlarge + 1)/scale
        fade = 255 - int(255.0_wp*sqrt(abs(value)))
        if (value >= 0.0_wp) then
          write (unit) full, char(fade), char(fade)
        else
          write (unit) char(fade), char(fade), full
        end if
      end do
    end do
    close (unit)
  end subroutine write_ppm

end module picture
