/*
 * A disk that can be told to fail, put between a program and its files with LD_PRELOAD (or DYLD_INSERT_LIBRARIES).
 * It needs no rights beyond those of the program. FAULTS_FOLDER is the folder whose files it rules; the file
 * FAULTS_ORDERS, read with every call that it rules, says what to do, one or more of:
 *
 *   fail-sync     fsync and fdatasync fail with EIO
 *   full          writes that make a file longer, and writes into the log, fail with ENOSPC
 *   read-only     every write fails with EROFS
 *   slow-sync N   fsync and fdatasync take N microseconds longer
 *   hold-sync     fsync and fdatasync do not return before the order is gone
 *
 * FAULTS_DISK is a folder that holds what the disk would hold after a power cut: a file's content is copied there when,
 * and only when, the file is synced.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

/* The path on the disk of a ruled file that is named by its path; NULL for any other file. */
static const char *on_disk(const char *path, char *result, size_t length) {
  const char *folder = getenv("FAULTS_FOLDER"), *disk = getenv("FAULTS_DISK");
  if (!folder || !disk || strncmp(path, folder, strlen(folder)) != 0) return NULL;
  snprintf(result, length, "%s%s", disk, path + strlen(folder));
  return result;
}

/* SQLite and we sync the folder after these, so they are taken as safe at once. */
int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  char copy[4096];
  if (on_disk(path, copy, sizeof copy)) real(copy);
  return real(path);
}

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  char copy[4096], copy_to[4096];
  if (on_disk(from, copy, sizeof copy) && on_disk(to, copy_to, sizeof copy_to)) real(copy, copy_to);
  return real(from, to);
}

static int has_order(const char *order, long *number) {
  const char *path = getenv("FAULTS_ORDERS");
  char text[256];
  if (!path) return 0;
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int fd = real_open(path, O_RDONLY);
  if (fd < 0) return 0;
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return 0;
  text[size] = 0;
  const char *found = strstr(text, order);
  if (found && number) *number = atol(found + strlen(order));
  return found != NULL;
}

/* The name of a ruled file within its folder; NULL for any other file. */
static const char *ruled_name(int fd, char *path, size_t length) {
  const char *folder = getenv("FAULTS_FOLDER");
  char link[64];
  if (!folder) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, length - 1);
  if (size <= 0) return NULL;
  path[size] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0 || path[prefix] != '/') return NULL;
  return path + prefix + 1;
}

static void copy_to_disk(int fd, const char *name) {
  const char *disk = getenv("FAULTS_DISK");
  struct stat status;
  char path[4096];
  char *bytes;
  if (!disk || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
  snprintf(path, sizeof path, "%s/%s", disk, name);
  pthread_mutex_lock(&copying);
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  ssize_t (*real_pwrite)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  int copy = real_open(path, O_WRONLY | O_CREAT, 0600);
  bytes = malloc(status.st_size);
  if (copy >= 0 && bytes) {
    ssize_t size = pread(fd, bytes, status.st_size, 0);
    if (size >= 0 && real_pwrite(copy, bytes, size, 0) == size && ftruncate(copy, size) == 0) size = 0;
  }
  free(bytes);
  if (copy >= 0) close(copy);
  pthread_mutex_unlock(&copying);
}

static int sync_file(const char *call, int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, call);
  char path[4096];
  long microseconds = 0;
  const char *name = ruled_name(fd, path, sizeof path);
  if (!name) return real(fd);
  if (has_order("fail-sync", NULL)) {
    errno = EIO;
    return -1;
  }
  if (has_order("slow-sync", &microseconds)) usleep(microseconds);
  while (has_order("hold-sync", NULL)) usleep(1000);
  copy_to_disk(fd, name);
  return getenv("FAULTS_DISK") ? 0 : real(fd);
}

int fsync(int fd) { return sync_file("fsync", fd); }
int fdatasync(int fd) { return sync_file("fdatasync", fd); }

static int is_refused(int fd, off64_t end) {
  char path[4096];
  struct stat status;
  const char *name = ruled_name(fd, path, sizeof path);
  if (!name || strstr(name, "-shm")) return 0;
  if (has_order("read-only", NULL)) {
    errno = EROFS;
    return 1;
  }
  if (!has_order("full", NULL)) return 0;
  if (strstr(name, "-wal") == NULL && fstat(fd, &status) == 0 && end <= status.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  return is_refused(fd, offset + count) ? -1 : real(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }
