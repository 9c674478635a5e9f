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
         (time (novablend-read-time "Time" (plist-get salon :id)
                                    (novablend-book--options service member))))
    (novablend-book-at salon service member time)))

(defun novablend-book--options (service member)
  "Parameters for SERVICE and MEMBER, without those that are nil."
  (append (when service (list :serviceId service))
          (when member (list :staffId member))))

(defun novablend-book-at (salon service member time)
  "Book SERVICE with MEMBER at SALON at TIME."
  (let* ((phone (novablend-read-phone))
         (notes (if current-prefix-arg (read-string "Notes for the salon: " nil t) ""))
         (summary (novablend-book--summary salon service member time)))
    (when (string-blank-p phone) (user-error "A booking needs a phone number"))
    (when (or (not novablend-confirm) (y-or-n-p (format "Book %s for %s? " summary phone)))
      (novablend-change
       "appointments/book"
       (append (list :salonId (plist-get salon :id) :appointmentTime time :phone phone)
               (novablend-book--options service member)
               (when novablend-email (list :email novablend-email))
               (unless (string-blank-p notes) (list :notes notes)))
       summary))))

(defun novablend-book--summary (salon service member time)
  "Describe the booking of SERVICE with MEMBER at SALON at TIME."
  (novablend-line
   (concat (or (novablend-name (plist-get salon :services) service) "Appointment")
           (when member (format " with %s" (novablend-name (plist-get salon :staff) member)))
           (format " at %s, %s" (plist-get salon :name) (novablend-book--time-text time)))))

(defun novablend-book--time-text (time)
  "TIME, in ISO 8601, as a text for people."
  (format "%s %s" (substring time 0 10) (substring time 11 16)))

;;;; Appointments

(defun novablend-appointment-local (appointment)
  "The time of APPOINTMENT on the clock of its salon, in ISO 8601."
  (or (plist-get (plist-get appointment :when) :local) (plist-get appointment :appointmentTime)))

(defun novablend-appointment-date (appointment)
  "The date of APPOINTMENT on the clock of its salon."
  (substring (novablend-appointment-local appointment) 0 10))

(defun novablend-appointment-time (appointment)
  "The time of day of APPOINTMENT on the clock of its salon."
  (substring (novablend-appointment-local appointment) 11 16))

(defun novablend-appointment-end (appointment)
  "The time of day at which APPOINTMENT ends; nil if it is not known."
  (when-let* ((end (or (plist-get (plist-get appointment :when) :end)
                       (plist-get appointment :endTime))))
    (substring end 11 16)))

(defun novablend-appointment-summary (appointment)
  "Describe APPOINTMENT."
  (novablend-line
   (concat (or (plist-get appointment :service) "Appointment")
           (when-let* ((staff (plist-get appointment :staff))) (concat " with " staff))
           ", " (novablend-book--time-text (novablend-appointment-local appointment)))))

(defun novablend-appointment-move (appointment time)
  "Move APPOINTMENT to TIME."
  (let ((summary (format "%s to %s" (novablend-appointment-summary appointment)
                         (novablend-book--time-text time))))
    (when (or (not novablend-confirm) (y-or-n-p (format "Move %s? " summary)))
      (novablend-change "appointments/reschedule"
                        (list :id (plist-get appointment :id) :appointmentTime time
                              :version (plist-get appointment :version))
                        summary)
      t)))

(defun novablend-appointment-read-time (appointment)
  "Read a free time to which APPOINTMENT can be moved."
  (novablend-read-time "Move to" (plist-get appointment :salonId)
                       (novablend-appointment-options appointment)))

(defun novablend-appointment-options (appointment)
  "Parameters for the free times to which APPOINTMENT can be moved."
  (append (list :appointmentId (plist-get appointment :id))
          (novablend-book--options (plist-get appointment :serviceId)
                                   ;; The salon may choose someone else again.
                                   (unless (eq (plist-get appointment :staffAssigned) t)
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
