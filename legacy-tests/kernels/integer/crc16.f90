! Checksum of bytes with the polynomial of CRC-16-CCITT (NPBench crc16).
subroutine crc16(n, data, crc)
  implicit none
  integer, intent(in) :: n
  integer, intent(in) :: data(n)
  integer, intent(out) :: crc
  integer :: i, j

  crc = 65535
  do i = 1, n
    crc = ieor(crc, data(i))
    do j = 1, 8
      if (iand(crc, 1) /= 0) then
        crc = ieor(ishft(crc, -1), 33800)
      else
        crc = ishft(crc, -1)
      end if
    end do
  end do
end subroutine crc16
