#ifndef NPY_INLINE
#define NPY_INLINE inline
#endif
