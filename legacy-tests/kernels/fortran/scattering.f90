! Scattering self-energies: sums of products of small complex matrices over neighbours (NPBench
! scattering_self_energies).  Index order transposed: the first index here is NPBench's last.
!
!   sigma[k,e,a] += (g[k,e-w,neigh[a,b]] dh[a,b,i]) (dh[a,b,j] d[q,w,a,b,i,j]),  e >= w.
!
! Products of inputs, the inner ones run again.  True tape: 0 bytes.
subroutine scattering(nk, ne, nq, nw, n3, na, nb, no, neigh, dh, g, d, sigma)
  implicit none
  integer, intent(in) :: nk, ne, nq, nw, n3, na, nb, no
  integer, intent(in) :: neigh(0:nb-1, 0:na-1)
  complex(8), intent(in) :: dh(0:no-1, 0:no-1, 0:n3-1, 0:nb-1, 0:na-1)
  complex(8), intent(in) :: g(0:no-1, 0:no-1, 0:na-1, 0:ne-1, 0:nk-1)
  complex(8), intent(in) :: d(0:n3-1, 0:n3-1, 0:nb-1, 0:na-1, 0:nw-1, 0:nq-1)
  complex(8), intent(inout) :: sigma(0:no-1, 0:no-1, 0:na-1, 0:ne-1, 0:nk-1)
  complex(8) :: hg(0:no-1, 0:no-1), hd(0:no-1, 0:no-1)
  integer :: k, e, q, w, i, j, a, b, x, y, z

  do k = 0, nk-1
    do e = 0, ne-1
      do q = 0, nq-1
        do w = 0, nw-1
          do i = 0, n3-1
            do j = 0, n3-1
              do a = 0, na-1
                do b = 0, nb-1
                  if (e - w >= 0) then
                    do x = 0, no-1
                      do y = 0, no-1
                        hg(y,x) = 0.0d0
                        do z = 0, no-1
                          hg(y,x) = hg(y,x) + g(z,x,neigh(b,a),e-w,k) * dh(y,z,i,b,a)
                        end do
                        hd(y,x) = dh(y,x,j,b,a) * d(j,i,b,a,w,q)
                      end do
                    end do
                    do x = 0, no-1
                      do y = 0, no-1
                        do z = 0, no-1
                          sigma(y,x,a,e,k) = sigma(y,x,a,e,k) + hg(z,x) * hd(y,z)
                        end do
                      end do
                    end do
                  end if
                end do
              end do
            end do
          end do
        end do
      end do
    end do
  end do
end subroutine scattering
