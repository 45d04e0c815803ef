/*
 * A disk that fails on request, for one database: LD_PRELOAD it with FAULT_DIR=<folder>.
 *   FAULT_DIR/eio       exists: every fsync of the database and its log fails with EIO
 *   FAULT_DIR/enospc    exists: no write may make the database or its log longer
 *   FAULT_DIR/durable/  exists: after each fsync the file is copied there, so that the folder always holds
 *                       what a power cut at this moment would be sure to leave
 * Only files whose path contains "alertcard.db" are touched.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *fault_dir;

__attribute__((constructor)) static void read_environment(void) { fault_dir = getenv("FAULT_DIR"); }

static int is_on(const char *fault) {
  char path[PATH_MAX];
  if (fault_dir == NULL) return 0;
  snprintf(path, sizeof path, "%s/%s", fault_dir, fault);
  return access(path, F_OK) == 0;
}

/* Whether the descriptor is one of the database's files; its path goes to `path`. */
static int is_database(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  return strstr(path, "alertcard.db") != NULL;
}

static void keep_copy(const char *path) {
  char half[PATH_MAX * 2];
  char whole[PATH_MAX * 2];
  const char *name = strrchr(path, '/') + 1;
  snprintf(half, sizeof half, "%s/%s.half", fault_dir, name);
  snprintf(whole, sizeof whole, "%s/durable/%s", fault_dir, name);
  int from = open(path, O_RDONLY);
  int to = open(half, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  struct stat info;
  if (from >= 0 && to >= 0 && fstat(from, &info) == 0) {
    off_t at = 0;
    while (at < info.st_size && sendfile(to, from, &at, (size_t)(info.st_size - at)) > 0) {
    }
    if (at == info.st_size) rename(half, whole);
  }
  if (from >= 0) close(from);
  if (to >= 0) close(to);
}

static int synced(int fd, int (*real)(int)) {
  char path[PATH_MAX];
  if (!is_database(fd, path)) return real(fd);
  if (is_on("eio")) {
    errno = EIO;
    return -1;
  }
  int result = real(fd);
  int saved = errno;
  if (result == 0 && is_on("durable")) keep_copy(path);
  errno = saved;
  return result;
}

int fsync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return synced(fd, real);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return synced(fd, real);
}

static int has_no_room(int fd, off_t end) {
  char path[PATH_MAX];
  struct stat info;
  if (!is_on("enospc") || !is_database(fd, path)) return 0;
  return fstat(fd, &info) == 0 && end > info.st_size;
}

typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);

static ssize_t placed(int fd, const void *data, size_t size, off_t at, pwrite_call real) {
  if (has_no_room(fd, at + (off_t)size)) {
    errno = ENOSPC;
    return -1;
  }
  return real(fd, data, size, at);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  static pwrite_call real;
  if (real == NULL) real = (pwrite_call)dlsym(RTLD_NEXT, "pwrite");
  return placed(fd, data, size, at, real);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  static pwrite_call real;
  if (real == NULL) real = (pwrite_call)dlsym(RTLD_NEXT, "pwrite64");
  return placed(fd, data, size, at, real);
}

ssize_t write(int fd, const void *data, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  off_t at = fault_dir == NULL ? -1 : lseek(fd, 0, SEEK_CUR);
  if (at >= 0 && has_no_room(fd, at + (off_t)size)) {
    errno = ENOSPC;
    return -1;
  }
  return real(fd, data, size);
}
