;;; novablend-appointments.el --- The list of appointments  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-appointments' lists appointments, and first those in doubt.

;;; Code:

(require 'novablend-book)
(require 'novablend-change)
(require 'novablend-export)
(require 'novablend-resolve)
(require 'novablend-view)
(require 'seq)
(require 'tabulated-list)

(declare-function novablend-week "novablend-week")

(defvar novablend-appointments-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'novablend-appointments-week)
    (define-key map "b" #'novablend-book)
    (define-key map "m" #'novablend-appointments-move)
    (define-key map "c" #'novablend-appointments-cancel)
    (define-key map "r" #'novablend-resolve)
    (define-key map "D" #'novablend-appointments-discard)
    (define-key map "a" #'novablend-appointments-toggle-status)
    (define-key map "o" #'novablend-export-org)
    (define-key map "e" #'novablend-export-calendar)
    map)
  "The keys of `novablend-appointments-mode'.")

(defvar-local novablend-appointments--status "booked" "The status of what is listed.")

(define-derived-mode novablend-appointments-mode tabulated-list-mode "Appointments"
  "The list of appointments.

\\{novablend-appointments-mode-map}"
  (setq tabulated-list-format [("Time" 22 t) ("Salon" 18 t) ("Service" 12 t) ("Staff" 10 t)
                               ("Status" 10 t) ("Phone" 16 t) ("Notes" 0 nil)]
        tabulated-list-padding 1)
  (tabulated-list-init-header)
  (novablend-view-setup #'novablend-appointments--load "appointments" "salons"))

;;;###autoload
(defun novablend-appointments ()
  "List the appointments."
  (interactive)
  (novablend-view-open "*NovaBlend appointments*" 'novablend-appointments-mode)
  (novablend-view-refresh))

(defun novablend-appointments--load ()
  "Load the appointments."
  (novablend-view-gather
   `(("appointments/list" (:status ,novablend-appointments--status))
     ("appointments/resolve" (:dryRun t) optional))
   #'novablend-appointments--show))

(defun novablend-appointments--show (appointments doubts)
  "Show the results APPOINTMENTS and DOUBTS, which is what the program has stored.
Each change in doubt comes first."
  (novablend-change-sync doubts)
  (novablend-view-set-provenance (plist-get appointments :provenance))
  (setq tabulated-list-entries
        (append (mapcar #'novablend-appointments--doubt-entry (novablend-doubts))
                (seq-map #'novablend-appointments--entry (plist-get appointments :appointments))))
  (tabulated-list-print t)
  (novablend-view-insert-notes
   (append (when-let* ((note (novablend-change-doubt-note)))
             (list (concat note (propertize "  Type r to do so, or D to discard it."
                                            'face 'novablend-doubt))))
           (unless tabulated-list-entries (list "There are no appointments.  Type b to book one."))
           (novablend-view-notes))))

(defun novablend-appointments--entry (appointment)
  "The row of APPOINTMENT."
  (let ((end (novablend-appointment-end appointment)))
    (list appointment
          (vconcat
           (mapcar (lambda (value) (novablend-line (or value "")))
                   (list (concat (novablend-book--time-text
                                  (novablend-appointment-local appointment))
                                 (when end (concat "-" end)))
                         (or (plist-get appointment :salonName) (plist-get appointment :salonId))
                         (plist-get appointment :service)
                         (plist-get appointment :staff)
                         (or (plist-get appointment :status) "booked")
                         (plist-get appointment :phone)
                         (plist-get appointment :notes)))))))

(defun novablend-appointments--doubt-entry (change)
  "The row of CHANGE, which is in doubt."
  (let* ((params (plist-get change :params))
         (time (plist-get params :appointmentTime)))
    (list change
          (vconcat
           (mapcar (lambda (value) (propertize (novablend-line (or value "")) 'face 'novablend-doubt))
                   (list (if time (novablend-book--time-text time) "")
                         nil nil nil "IN DOUBT" (plist-get params :phone)
                         (plist-get change :summary)))))))

;;;; Commands

(defun novablend-appointments--at-point ()
  "The appointment at point."
  (let ((entry (tabulated-list-get-id)))
    (cond ((plist-get entry :key)
           (user-error "This is in doubt; type r to find out what happened"))
          (entry)
          (t (user-error "There is no appointment here")))))

(defun novablend-appointments-week ()
  "Show the week of the appointment at point."
  (interactive nil novablend-appointments-mode)
  (let ((appointment (novablend-appointments--at-point)))
    (novablend-week (list :id (plist-get appointment :salonId)
                          :name (plist-get appointment :salonName))
                    (novablend-appointment-date appointment))))

(defun novablend-appointments-move ()
  "Move the appointment at point to a free time that is chosen."
  (interactive nil novablend-appointments-mode)
  (let ((appointment (novablend-appointments--at-point)))
    (novablend-appointment-move appointment (novablend-appointment-read-time appointment))))

(defun novablend-appointments-cancel ()
  "Cancel the appointment at point."
  (interactive nil novablend-appointments-mode)
  (novablend-appointment-cancel (novablend-appointments--at-point)))

(defun novablend-appointments-discard ()
  "End the doubt at point without knowing whether the change was made."
  (interactive nil novablend-appointments-mode)
  (let ((entry (tabulated-list-get-id)))
    (unless (plist-get entry :key) (user-error "Nothing is in doubt here"))
    (novablend-resolve-discard entry)))

(defun novablend-appointments-toggle-status ()
  "Show the cancelled appointments, too, or hide them."
  (interactive nil novablend-appointments-mode)
  (setq novablend-appointments--status
        (if (equal novablend-appointments--status "booked") "all" "booked"))
  (novablend-view-refresh))

(provide 'novablend-appointments)
;;; novablend-appointments.el ends here
