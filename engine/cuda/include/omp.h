// OpenMP's functions as a program of one thread sees them: its pragmas are passed over, so each region is run
// once, by the thread that comes there.
#pragma once
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  int held;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_dynamic(void) { return 0; }
static inline int omp_get_nested(void) { return 0; }
static inline void omp_set_num_threads(int threads) { (void)threads; }
static inline void omp_set_dynamic(int on) { (void)on; }
static inline void omp_set_nested(int on) { (void)on; }

static inline void omp_init_lock(omp_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t* lock) { (void)lock; }
static inline void omp_set_lock(omp_lock_t* lock) { lock->held = 1; }
static inline void omp_unset_lock(omp_lock_t* lock) { lock->held = 0; }
static inline int omp_test_lock(omp_lock_t* lock) { return lock->held ? 0 : (lock->held = 1); }

static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static inline double omp_get_wtick(void) { return 1e-9; }
#ifdef __cplusplus
}
#endif
