/*
 * A library for LD_PRELOAD that simulates a failing disk. It needs no privileges. It controls the files in FAULTS_FOLDER.
 * The file FAULTS_ORDERS, which is read on every controlled call, contains one or more of:
 *
 *   fail-sync              fsync and fdatasync fail with EIO
 *   fail-checkpoint-sync   only those of the database file fail, to which a checkpoint copies the log
 *   full                   writes that extend a file, and writes to the log, fail with ENOSPC
 *   full until-free        the same, while the file `reserve` takes space
 *   no-memory-room         those that extend the memory which SQLite's connections share (-shm) fail with ENOSPC; also with until-free
 *   read-only              every write fails with EROFS
 *   slow-sync N            fsync and fdatasync take N microseconds longer
 *   hold-sync              fsync and fdatasync wait until the order is removed
 *
 * FAULTS_DISK is a folder with the state after a power cut. `inodes` has the content of files, copied there only when a
 * file is synced. `names` has the folder's entries, as links to that content: a new, renamed or removed entry takes effect
 * there only when its folder is synced.
 */
#define _GNU_SOURCE
#include <dirent.h>
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

/* The path relative to FAULTS_FOLDER, empty for the folder itself; NULL if the file is not in it. */
static const char *controlled_name(int fd, char *path, size_t length) {
  const char *folder = getenv("FAULTS_FOLDER");
  char link[64];
  if (!folder) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, length - 1);
  if (size <= 0) return NULL;
  path[size] = 0;
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0) return NULL;
  if (path[prefix] == 0) return path + prefix;
  return path[prefix] == '/' ? path + prefix + 1 : NULL;
}

static void inode_path(ino_t inode, char *path) { sprintf(path, "%s/inodes/%lu", getenv("FAULTS_DISK"), inode); }

/* The inode number of a removed file may be reused. Its content stays under the names that still link to it. */
static void forget_inode(const char *path) {
  const char *folder = getenv("FAULTS_FOLDER");
  struct stat status;
  char copy[4096];
  if (!folder || !getenv("FAULTS_DISK") || strncmp(path, folder, strlen(folder)) != 0) return;
  if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) return;
  inode_path(status.st_ino, copy);
  unlinkat(AT_FDCWD, copy, 0);
}

int unlink(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");
  forget_inode(path);
  return real(path);
}

int remove(const char *path) {
  int (*real)(const char *) = dlsym(RTLD_NEXT, "remove");
  forget_inode(path);
  return real(path);
}

int rename(const char *from, const char *to) {
  int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  forget_inode(to);
  return real(from, to);
}

static void copy_content(int fd, const struct stat *status) {
  char path[4096];
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  ssize_t (*real_pwrite)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  inode_path(status->st_ino, path);
  int copy = real_open(path, O_WRONLY | O_CREAT, 0600);
  char *bytes = malloc(status->st_size);
  if (copy >= 0 && bytes) {
    ssize_t size = pread(fd, bytes, status->st_size, 0);
    if (size >= 0 && real_pwrite(copy, bytes, size, 0) == size && ftruncate(copy, size) == 0) size = 0;
  }
  free(bytes);
  if (copy >= 0) close(copy);
}

/* Calls `each` with every path in a folder and the path of the same name in another folder. */
static void for_each(const char *folder, void (*each)(const char *path, const char *twin), const char *twins) {
  char path[4096], twin[4096];
  DIR *entries = opendir(folder);
  struct dirent *entry;
  while (entries && (entry = readdir(entries))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    snprintf(twin, sizeof twin, "%s/%s", twins, entry->d_name);
    each(path, twin);
  }
  if (entries) closedir(entries);
}

/* Creates an entry; a file that was never synced has no content. */
static void add_name(const char *path, const char *on_disk) {
  struct stat status;
  char inode[4096];
  if (lstat(path, &status) != 0) return;
  if (S_ISDIR(status.st_mode)) mkdir(on_disk, 0700);
  if (!S_ISREG(status.st_mode)) return;
  inode_path(status.st_ino, inode);
  close(open(inode, O_WRONLY | O_CREAT, 0600));
  unlinkat(AT_FDCWD, on_disk, 0);
  link(inode, on_disk);
}

static void drop_name(const char *on_disk, const char *path) {
  if (access(path, F_OK) != 0) unlinkat(AT_FDCWD, on_disk, 0);
}

static void copy_names(const char *folder, const char *name) {
  char on_disk[4096];
  snprintf(on_disk, sizeof on_disk, "%s/names/%s", getenv("FAULTS_DISK"), name);
  mkdir(on_disk, 0700);
  for_each(folder, add_name, on_disk);
  for_each(on_disk, drop_name, folder);
}

static void copy_to_disk(int fd, const char *path, const char *name) {
  struct stat status;
  if (!getenv("FAULTS_DISK") || fstat(fd, &status) != 0) return;
  pthread_mutex_lock(&copying);
  if (S_ISREG(status.st_mode)) copy_content(fd, &status);
  if (S_ISDIR(status.st_mode)) copy_names(path, name);
  pthread_mutex_unlock(&copying);
}

static int sync_file(const char *call, int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, call);
  char path[4096];
  long microseconds = 0;
  const char *name = controlled_name(fd, path, sizeof path);
  if (!name) return real(fd);
  int is_checkpoint = strcmp(name, "staffbook.sqlite") == 0;
  if (has_order("fail-sync", NULL) || (is_checkpoint && has_order("fail-checkpoint-sync", NULL))) {
    errno = EIO;
    return -1;
  }
  if (has_order("slow-sync", &microseconds)) usleep(microseconds);
  while (has_order("hold-sync", NULL)) usleep(1000);
  copy_to_disk(fd, path, name);
  return getenv("FAULTS_DISK") ? 0 : real(fd);
}

int fsync(int fd) { return sync_file("fsync", fd); }
int fdatasync(int fd) { return sync_file("fdatasync", fd); }

static int is_rejected(int fd, off64_t end) {
  char path[4096];
  struct stat status;
  const char *name = controlled_name(fd, path, sizeof path);
  if (!name) return 0;
  int is_memory = strstr(name, "-shm") != NULL;
  if (!is_memory && has_order("read-only", NULL)) {
    errno = EROFS;
    return 1;
  }
  if (!has_order(is_memory ? "no-memory-room" : "full", NULL)) return 0;
  if (strstr(name, "-wal") == NULL && fstat(fd, &status) == 0 && end <= status.st_size) return 0;
  snprintf(path, sizeof path, "%s/reserve", getenv("FAULTS_FOLDER"));
  if (has_order("until-free", NULL) && access(path, F_OK) != 0) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  return is_rejected(fd, offset + count) ? -1 : real(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }
