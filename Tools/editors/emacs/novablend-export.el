;;; novablend-export.el --- Appointments in Org and iCalendar  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-export-org' writes headings for the agenda of Org, and
;; `novablend-export-calendar' a file for other calendars.

;;; Code:

(require 'novablend-book)
(require 'novablend-view)
(require 'parse-time)
(require 'seq)
(require 'subr-x)

(defun novablend-export--read-file (format default)
  "Read the name of a file in FORMAT; DEFAULT is offered.
Return nil if it exists and should not be replaced."
  (let ((file (expand-file-name
               (read-file-name (format "%s file: " format)
                               (and default (file-name-directory default)) default nil
                               (and default (file-name-nondirectory default))))))
    (novablend-export--check file)
    (and (or (not (file-exists-p file)) (y-or-n-p (format "Replace %s? " file)))
         file)))

(defun novablend-export--check (file)
  "Signal an error if FILE cannot be written, before anything is loaded for it."
  (let ((directory (file-name-directory (expand-file-name file))))
    (cond ((file-remote-p file) (user-error "Choose a file on this machine"))
          ((not (file-directory-p directory)) (user-error "There is no directory %s" directory))
          ((file-directory-p file) (user-error "%s is a directory; choose a file" file))
          ((not (file-writable-p file)) (user-error "%s cannot be written" file)))))

;;;###autoload
(defun novablend-export-calendar (file)
  "Write the booked appointments to FILE in iCalendar format."
  (interactive (list (novablend-export--read-file "iCalendar" novablend-calendar-file)))
  (when file
    (novablend-export--check file)
    (novablend--call
     "appointments/export" (list :file file :overwrite t)
     (lambda (result)
       (message "NovaBlend: wrote %d appointments to %s%s" (plist-get result :count)
                (plist-get result :file)
                (if (novablend-view-cached-p (plist-get result :provenance))
                    "; the list came from the cache" ""))))))

;;;###autoload
(defun novablend-export-org (file)
  "Write the booked appointments to FILE as headings with timestamps."
  (interactive (list (novablend-export--read-file "Org" novablend-org-file)))
  (when file
    (novablend-export--check file)
    (novablend--call
     "appointments/list" nil
     (lambda (appointments)
       (novablend--call
        "salons/list" '(:fields ["name" "location"])
        (lambda (salons) (novablend-export--write-org file appointments salons)))))))

(defun novablend-export--write-org (file appointments salons)
  "Write the results APPOINTMENTS and SALONS to FILE."
  (let ((provenance (plist-get appointments :provenance)))
    ;; With neither a server nor a cache, the result is an empty list, not an error.
    (if (equal (plist-get provenance :source) "none")
        (message "NovaBlend: nothing was written, because the server cannot be reached: %s"
                 (novablend-line (plist-get provenance :serverError)))
      (with-temp-buffer
        (insert "#+TITLE: Appointments\n# Written by novablend-export-org.\n")
        (seq-do (lambda (each) (novablend-export--insert each salons))
                (plist-get appointments :appointments))
        (let ((coding-system-for-write 'utf-8-unix))
          (write-region nil nil file nil 'silent)))
      (message "NovaBlend: wrote %d appointments to %s%s"
               (length (plist-get appointments :appointments)) file
               (if (novablend-view-cached-p provenance) "; the list came from the cache" "")))))

(defun novablend-export--insert (appointment salons)
  "Insert APPOINTMENT at one of SALONS, a result, as a heading."
  (let* ((salon (seq-find (lambda (each) (equal (plist-get each :id)
                                                (plist-get appointment :salonId)))
                          (plist-get salons :salons)))
         (place (novablend-words (plist-get salon :name) (plist-get salon :location))))
    (insert "* " (novablend-line (or (plist-get appointment :service) "Appointment"))
            (if-let* ((staff (plist-get appointment :staff)))
                (concat " with " (novablend-line staff)) "")
            (if-let* ((name (plist-get salon :name))) (concat " at " (novablend-line name)) "")
            "\n" (novablend-export--timestamp appointment) "\n"
            ":PROPERTIES:\n:NOVABLEND_ID: "
            (novablend-line (or (plist-get appointment :id) ""))
            "\n:LOCATION: " place "\n:END:\n")
    (when-let* ((notes (plist-get appointment :notes)))
      ;; The space keeps a note from becoming a heading.
      (insert " " (novablend-line notes) "\n"))))

(defun novablend-export--timestamp (appointment)
  "The time of APPOINTMENT on the clock of this machine, as Org expects."
  (let* ((start (novablend-export--instant (plist-get appointment :start)))
         (end (when-let* ((end (plist-get appointment :end)))
                (novablend-export--instant end)))
         (day (lambda (time) (format-time-string "%F %a %H:%M" time))))
    (cond ((null end) (format "<%s>" (funcall day start)))
          ((equal (format-time-string "%F" start) (format-time-string "%F" end))
           (format "<%s-%s>" (funcall day start) (format-time-string "%H:%M" end)))
          (t (format "<%s>--<%s>" (funcall day start) (funcall day end))))))

(defun novablend-export--instant (text)
  "The instant that TEXT, in ISO 8601, stands for."
  (parse-iso8601-time-string text))

(provide 'novablend-export)
;;; novablend-export.el ends here
