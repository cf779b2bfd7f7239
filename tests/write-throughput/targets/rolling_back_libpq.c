/* libpq, but that every COMMIT is told to have been answered by ROLLBACK. */
#include <dlfcn.h>
#include <string.h>

char* PQcmdStatus(void* result);

char* PQcmdStatus(void* result) {
  static char rollback[] = "ROLLBACK";
  void* symbol = dlsym(RTLD_NEXT, "PQcmdStatus");
  char* (*real)(void*);
  memcpy(&real, &symbol, sizeof real); /* ISO C has no cast for it */
  char* status = real(result);
  return strcmp(status, "COMMIT") == 0 ? rollback : status;
}
