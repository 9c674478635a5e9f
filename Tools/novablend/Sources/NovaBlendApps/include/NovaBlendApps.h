#ifndef NOVABLEND_APPS_H
#define NOVABLEND_APPS_H

/// The page in Apps/week.html, in UTF-8.
const char *novablend_week_page(void);

#endif
