/*
 * Makes every fsync and fdatasync of a process slower, as a laptop's or a cloud volume's disk would be.
 * LD_PRELOAD it with SLOW_FSYNC_MS=<ms>; the wait comes after the real call, so the data is as safe as before.
 * SLOW_FSYNC_COUNT=<file> writes the number of calls there at exit, to prove that the library was in effect.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_long calls;
static long delay_ms;

__attribute__((constructor)) static void read_environment(void) {
  const char *text = getenv("SLOW_FSYNC_MS");
  delay_ms = text == NULL ? 0 : strtol(text, NULL, 10);
}

__attribute__((destructor)) static void write_count(void) {
  const char *path = getenv("SLOW_FSYNC_COUNT");
  if (path == NULL || atomic_load(&calls) == 0) return;
  FILE *file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

static int slowed(int result) {
  int saved = errno;
  atomic_fetch_add(&calls, 1);
  struct timespec left = {delay_ms / 1000, (delay_ms % 1000) * 1000000L};
  while (delay_ms > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
  errno = saved;
  return result;
}

typedef int (*sync_call)(int);

int fsync(int fd) {
  static sync_call real;
  if (real == NULL) real = (sync_call)dlsym(RTLD_NEXT, "fsync");
  return slowed(real(fd));
}

int fdatasync(int fd) {
  static sync_call real;
  if (real == NULL) real = (sync_call)dlsym(RTLD_NEXT, "fdatasync");
  return slowed(real(fd));
}
