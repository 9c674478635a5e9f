;;; novablend-book.el --- Book, move, and cancel appointments  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-book' asks for a salon, a service, a staff member, and a free time.
;; The other functions change an appointment of a list or of a week.

;;; Code:

(require 'novablend-change)
(require 'novablend-read)
(require 'subr-x)

;;;###autoload
(defun novablend-book (&optional salon)
  "Book an appointment at SALON, or at one that is chosen.
With a prefix argument, ask for notes for the salon, too."
  (interactive)
  (let* ((salon (or salon (novablend-read-salon)))
         (service (novablend-read-service salon))
         (member (novablend-read-staff salon service))
         (time (novablend-read-time "Time" salon (novablend-book--options service member))))
    (novablend-book-at salon service member time)))

(defun novablend-book--options (service member)
  "Parameters for SERVICE and MEMBER, without those that are nil."
  (append (when service (list :serviceId service))
          (when member (list :staffId member))))

(defun novablend-book-at (salon service member time)
  "Book SERVICE with MEMBER at SALON at TIME."
  (let* ((phone (novablend-read-phone salon))
         (notes (if current-prefix-arg
                    (read-string (format "Notes for %s: " (novablend-salon-title salon)) nil t)
                  ""))
         (summary (novablend-book--summary salon service member time)))
    (when (string-blank-p phone) (user-error "A booking needs a phone number"))
    (when (or (not novablend-confirm) (y-or-n-p (format "Book %s for %s? " summary
                                                          (novablend-isolate phone))))
      (novablend-change
       "appointments/book"
       (append (list :salonId (plist-get salon :id) :appointmentTime time :phone phone)
               (novablend-book--options service member)
               (when novablend-email (list :email novablend-email))
               (unless (string-blank-p notes) (list :notes notes)))
       summary))))

(defun novablend-book--summary (salon service member time)
  "Describe the booking of SERVICE with MEMBER at SALON at TIME."
  (concat (novablend-isolate (or (novablend-name (plist-get salon :services) service)
                                 "Appointment"))
          (when member (concat " with " (novablend-isolate
                                         (or (novablend-name (plist-get salon :staff) member)
                                             member))))
          " at " (novablend-salon-title salon) ", " (novablend-book--time-text time)))

(defun novablend-book--time-text (time)
  "TIME, in ISO 8601, as a text for people."
  (format "%s %s" (substring time 0 10) (substring time 11 16)))

;;;; Appointments

(defun novablend-appointment-local (appointment)
  "The time of APPOINTMENT on the clock of its salon, in ISO 8601."
  (plist-get appointment :start))

(defun novablend-appointment-date (appointment)
  "The date of APPOINTMENT on the clock of its salon."
  (substring (novablend-appointment-local appointment) 0 10))

(defun novablend-appointment-time (appointment)
  "The time of day of APPOINTMENT on the clock of its salon."
  (substring (novablend-appointment-local appointment) 11 16))

(defun novablend-appointment-end (appointment)
  "The time of day at which APPOINTMENT ends; nil if it is not known."
  (when-let* ((end (plist-get appointment :end)))
    (substring end 11 16)))

(defun novablend-appointment-summary (appointment &optional is-short)
  "Describe APPOINTMENT; if IS-SHORT, without its salon."
  (concat (novablend-isolate (or (plist-get appointment :service) "Appointment"))
          (when-let* ((staff (plist-get appointment :staff)))
            (concat " with " (novablend-isolate staff)))
          (unless is-short
            (concat " at " (novablend-salon-title
                            (or (plist-get appointment :salon)
                                (novablend-appointment-salon appointment)))))
          ", " (novablend-book--time-text (novablend-appointment-local appointment))))

(defun novablend-appointment-salon (appointment)
  "The salon of APPOINTMENT, according to the list of appointments."
  (list :id (plist-get appointment :salonId) :name (plist-get appointment :salonName)))

(defun novablend-appointment-move (appointment time &optional member name)
  "Move APPOINTMENT to TIME, and to the staff member with the id MEMBER and NAME."
  (let ((summary (concat (novablend-appointment-summary appointment)
                         " to " (novablend-book--time-text time)
                         (when member (concat " with " (novablend-isolate name))))))
    (when (or (not novablend-confirm) (y-or-n-p (format "Move %s? " summary)))
      (novablend-change "appointments/reschedule"
                        (append (list :id (plist-get appointment :id) :appointmentTime time
                                      :version (plist-get appointment :version))
                                (when member (list :staffId member)))
                        summary)
      t)))

(defun novablend-appointment-read-time (appointment)
  "Read a free time to which APPOINTMENT can be moved."
  (novablend-read-time "Move to a time" (plist-get appointment :salon)
                       (novablend-appointment-options appointment)))

(defun novablend-appointment-options (appointment &optional with-anyone)
  "Parameters for the free times to which APPOINTMENT can be moved.
If WITH-ANYONE, it may be moved to a different staff member."
  (append (list :appointmentId (plist-get appointment :id))
          (novablend-book--options (plist-get appointment :serviceId)
                                   ;; The salon may choose someone else again.
                                   (unless (or with-anyone
                                               (eq (plist-get appointment :staffAssigned) t))
                                     (plist-get appointment :staffId)))
          (when-let* ((seats (plist-get appointment :seats))) (list :seats seats))))

(defun novablend-appointment-cancel (appointment)
  "Cancel APPOINTMENT."
  (let ((summary (novablend-appointment-summary appointment)))
    (when (or (not novablend-confirm) (y-or-n-p (format "Cancel %s? " summary)))
      (novablend-change "appointments/cancel"
                        (list :id (plist-get appointment :id)
                              :version (plist-get appointment :version))
                        summary))))

(provide 'novablend-book)
;;; novablend-book.el ends here
