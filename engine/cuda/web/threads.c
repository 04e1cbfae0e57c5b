// Threads that run in turn: each runs to its end when it is created. What a thread could only get from
// another one that has not ended (a lock, a signal, a semaphore) it never gets: then the program ends with a
// sentence about that. A wait with a time limit reaches its limit.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/cuda/web/system.h"
#include "pthread_impl.h"

#undef pthread_equal

enum { most_keys = 128 };

struct Cleanup {
  struct Cleanup* next;
  void (*destroy)(void*);
  void* object;
};

struct Thread {
  struct pthread
      musl;  ///< what the C library keeps for each thread: its locale. First: it is the thread's handle
  int number;
  bool is_detached;
  void* values[most_keys];
  struct Cleanup* cleanups;
};

static struct Thread main_thread = {.number = 1};
static struct Thread* current = &main_thread;
static int latest_number = 1;

__attribute__((constructor(50))) static void begin_main_thread(void) {
  main_thread.musl.locale = &libc.global_locale;
}

uintptr_t __get_tp(void) { return (uintptr_t)&current->musl; }

__attribute__((noreturn)) static void wait_forever(void) {
  system_deadlock();
  system_trap();
}

/// A wait that ends at that time, and gets nothing until then.
static int wait_until(const struct timespec* end, clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  const double seconds = (double)(end->tv_sec - now.tv_sec) + (double)(end->tv_nsec - now.tv_nsec) * 1e-9;
  if (seconds > 0) system_sleep(seconds);
  return ETIMEDOUT;
}

// ---- values of threads

static struct {
  bool is_used;
  void (*destroy)(void*);
} keys[most_keys];

int pthread_key_create(pthread_key_t* key, void (*destroy)(void*)) {
  for (unsigned k = 0; k < most_keys; ++k) {
    if (keys[k].is_used) continue;
    keys[k].is_used = true;
    keys[k].destroy = destroy;
    current->values[k] = NULL;
    *key = k;
    return 0;
  }
  return EAGAIN;
}

int pthread_key_delete(pthread_key_t key) {
  if (key >= most_keys) return EINVAL;
  keys[key].is_used = false;
  return 0;
}

void* pthread_getspecific(pthread_key_t key) { return key < most_keys ? current->values[key] : NULL; }

int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= most_keys || !keys[key].is_used) return EINVAL;
  current->values[key] = (void*)value;
  return 0;
}

int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) {
  struct Cleanup* cleanup = malloc(sizeof *cleanup);
  if (!cleanup) return -1;
  *cleanup = (struct Cleanup){current->cleanups, destroy, object};
  current->cleanups = cleanup;
  return 0;
}

static void destroy_objects(struct Thread* thread) {
  while (thread->cleanups) {
    struct Cleanup* cleanup = thread->cleanups;
    thread->cleanups = cleanup->next;
    cleanup->destroy(cleanup->object);
    free(cleanup);
  }
}

static void destroy_values(struct Thread* thread) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    for (int k = 0; k < most_keys; ++k) {
      void* value = thread->values[k];
      if (!value || !keys[k].is_used || !keys[k].destroy) continue;
      thread->values[k] = NULL;
      keys[k].destroy(value);
    }
  }
}

void system_end_main_thread(void) { destroy_objects(&main_thread); }

// ---- threads

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  struct Thread* thread = calloc(1, sizeof *thread);
  if (!thread) return EAGAIN;
  thread->number = ++latest_number;
  thread->musl.locale = &libc.global_locale;
  thread->is_detached = attributes && attributes->_a_detach;
  *handle = &thread->musl;
  struct Thread* creator = current;
  current = thread;
  thread->musl.result = system_run_thread(start, argument);
  destroy_objects(thread);
  destroy_values(thread);
  current = creator;
  if (thread->is_detached) free(thread);
  return 0;
}

int pthread_join(pthread_t handle, void** result) {
  struct Thread* thread = (struct Thread*)handle;
  if (thread == current) return EDEADLK;
  if (result) *result = thread->musl.result;
  free(thread);
  return 0;
}

int pthread_detach(pthread_t handle) {
  struct Thread* thread = (struct Thread*)handle;
  if (thread == current)
    thread->is_detached = true;
  else if (thread != &main_thread)
    free(thread);
  return 0;
}

void pthread_exit(void* result) {
  if (current == &main_thread) exit(0);
  system_exit_thread(result);
}

int sched_yield(void) {
  system_check_time();
  return 0;
}

pthread_t pthread_self(void) { return &current->musl; }
int pthread_equal(pthread_t one, pthread_t other) { return one == other; }
int pthread_cancel(pthread_t handle) { return ENOSYS; }
void pthread_testcancel(void) {}
int pthread_setcancelstate(int state, int* before) {
  if (before) *before = PTHREAD_CANCEL_ENABLE;
  return 0;
}
int __pthread_setcancelstate(int state, int* before) { return pthread_setcancelstate(state, before); }
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return 0; }
int pthread_setname_np(pthread_t handle, const char* name) { return 0; }

int pthread_attr_init(pthread_attr_t* attributes) {
  memset(attributes, 0, sizeof *attributes);
  return 0;
}
int pthread_attr_destroy(pthread_attr_t* attributes) { return 0; }
int pthread_attr_setstacksize(pthread_attr_t* attributes, size_t size) { return 0; }
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) {
  attributes->_a_detach = state;
  return 0;
}

int pthread_once(pthread_once_t* control, void (*initialize)(void)) {
  if (*control) return 0;
  *control = 1;
  initialize();
  return 0;
}

// ---- mutexes: _m_lock holds the number of the thread that has it

int pthread_mutexattr_init(pthread_mutexattr_t* attributes) {
  memset(attributes, 0, sizeof *attributes);
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t* attributes) { return 0; }
int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type) {
  attributes->__attr = (unsigned)type;
  return 0;
}

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  memset(mutex, 0, sizeof *mutex);
  if (attributes) mutex->_m_type = (int)attributes->__attr;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t* mutex) { return 0; }

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (mutex->_m_lock == current->number && mutex->_m_type == PTHREAD_MUTEX_RECURSIVE) {
    ++mutex->_m_count;
    return 0;
  }
  if (mutex->_m_lock) return EBUSY;
  mutex->_m_lock = current->number;
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (pthread_mutex_trylock(mutex) == 0) return 0;
  if (mutex->_m_lock == current->number && mutex->_m_type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  wait_forever();
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* end) {
  if (pthread_mutex_trylock(mutex) == 0) return 0;
  return wait_until(end, CLOCK_REALTIME);
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (mutex->_m_count) {
    --mutex->_m_count;
    return 0;
  }
  mutex->_m_lock = 0;
  return 0;
}

int pthread_spin_init(pthread_spinlock_t* lock, int is_shared) { return *lock = 0; }
int pthread_spin_destroy(pthread_spinlock_t* lock) { return 0; }
int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (*lock) return EBUSY;
  *lock = current->number;
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (pthread_spin_trylock(lock)) wait_forever();
  return 0;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) { return *lock = 0; }

// ---- locks for reading and writing: _rw_lock counts the readers, or is -1 for a writer

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  memset(lock, 0, sizeof *lock);
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) { return 0; }
int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (lock->_rw_lock < 0) return EBUSY;
  ++lock->_rw_lock;
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (lock->_rw_lock) return EBUSY;
  lock->_rw_lock = -1;
  return 0;
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (pthread_rwlock_tryrdlock(lock)) wait_forever();
  return 0;
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (pthread_rwlock_trywrlock(lock)) wait_forever();
  return 0;
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  lock->_rw_lock = lock->_rw_lock < 0 ? 0 : lock->_rw_lock - 1;
  return 0;
}

// ---- conditions: _c_seq counts the signals that met no waiting thread. Each wakes one later wait, which may
// wake without a reason anyway: natively that thread often waits already when the signal comes.

int pthread_condattr_init(pthread_condattr_t* attributes) {
  memset(attributes, 0, sizeof *attributes);
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t* attributes) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t* attributes, clockid_t clock) {
  attributes->__attr = (unsigned)clock;
  return 0;
}

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  memset(condition, 0, sizeof *condition);
  if (attributes) condition->_c_clock = (int)attributes->__attr;
  return 0;
}
int pthread_cond_destroy(pthread_cond_t* condition) { return 0; }
int pthread_cond_signal(pthread_cond_t* condition) {
  ++condition->_c_seq;
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t* condition) { return pthread_cond_signal(condition); }

static bool takes_signal(pthread_cond_t* condition) {
  if (!condition->_c_seq) return false;
  --condition->_c_seq;
  return true;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!takes_signal(condition)) wait_forever();
  return 0;
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const struct timespec* end) {
  return takes_signal(condition) ? 0 : wait_until(end, condition->_c_clock);
}

// ---- barriers, semaphores

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                         unsigned count) {
  memset(barrier, 0, sizeof *barrier);
  barrier->_b_limit = (int)count;
  return count ? 0 : EINVAL;
}
int pthread_barrier_destroy(pthread_barrier_t* barrier) { return 0; }
int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (barrier->_b_limit > 1) wait_forever();
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

int sem_init(sem_t* semaphore, int is_shared, unsigned count) {
  semaphore->__val[0] = (int)count;
  return 0;
}
int sem_destroy(sem_t* semaphore) { return 0; }
int sem_post(sem_t* semaphore) {
  ++semaphore->__val[0];
  return 0;
}
int sem_getvalue(sem_t* semaphore, int* count) {
  *count = semaphore->__val[0];
  return 0;
}
int sem_trywait(sem_t* semaphore) {
  if (semaphore->__val[0] == 0) {
    errno = EAGAIN;
    return -1;
  }
  --semaphore->__val[0];
  return 0;
}
int sem_wait(sem_t* semaphore) {
  if (sem_trywait(semaphore)) wait_forever();
  return 0;
}
int sem_timedwait(sem_t* semaphore, const struct timespec* end) {
  if (sem_trywait(semaphore) == 0) return 0;
  errno = wait_until(end, CLOCK_REALTIME);
  return -1;
}

// ---- the C library's own locks: no two threads are in it at once

void __lock(volatile int* lock) {}
void __unlock(volatile int* lock) {}
int __lockfile(FILE* file) { return 0; }
void __unlockfile(FILE* file) {}
void __acquire_ptc(void) {}
void __release_ptc(void) {}
