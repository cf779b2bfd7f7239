/* Stands in for libpq.so.5 when rolling_back_libpq.so is linked, which then loads the real one. */
void nothing_of_libpq(void);
void nothing_of_libpq(void) {}
