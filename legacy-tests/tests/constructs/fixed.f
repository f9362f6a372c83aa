      subroutine fixed_bang_col6(a)
      a = 1.
     !  + 2.
      end

      subroutine fixed_blanks_num(a)
      double precision a
      data x /3.1415 92653 d0/
      a = 1. D0 + 100 000
      end

      subroutine fixed_blanks_op(i,a)
      if (i.ge.3. and. a.lt.2.) a = 1.
      end

      subroutine fixed_cont_label_blank(a,b)
      a = b
     &  + 1.
     &
      b = 2.
      end

      subroutine fixed_cont_str(c)
      character*80 c
      c = 'this string is broken across the right edge of the line and so it i
     1s padded'
      end

      subroutine fixed_do_assign(a)
      do10i=1.10
      a = do10i
      end

      subroutine fixed_glued_call(a)
      callfixed_glued_call_t(a)
      end

      subroutine fixed_glued_do(a,n)
      real a(n)
      do10i=1,n
   10 a(i)=0.
      end

      subroutine fixed_holl
      write (6,10)
   10 format (14h it's a header, 4x, 5habc d)
      call fixed_holl_t(3hx!y, 2h)))
      end

      subroutine fixed_omp(a,n)
      real a(n)
c$omp parallel do
c$omp+ private(i)
      do i=1,n
        a(i)=0.
      end do
c$    n = 3
!$omp end parallel do
      end

      subroutine fixed_seq_numbers(a)                                                   SEQ00010
      a = 1.                                                            SEQ00020
      end                                                               SEQ00030

      subroutine fixed_split_kw(a)
      doub le precision a
      re turn
      end

      subroutine fixed_star_holl_type
      real*8 hx, h2
      integer*4 h
      hx = 2*h
      end

	subroutine fixed_tab(a)
	if (a.gt.0.) then
	a = a +
	1  1.
	endif
	end
