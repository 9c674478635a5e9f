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
(defvar-local novablend-appointments--salons nil "The salons whose places are known.")

(define-derived-mode novablend-appointments-mode tabulated-list-mode "Appointments"
  "The list of appointments.

\\{novablend-appointments-mode-map}"
  (setq tabulated-list-format [("Time" 23 t) ("Salon" 19 t) ("Place" 19 t) ("Service" 13 t)
                               ("Staff" 11 t) ("Status" 11 t) ("Phone" 17 t) ("Notes" 0 nil)]
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
   #'novablend-appointments--receive))

(defun novablend-appointments--receive (appointments doubts)
  "Show the results APPOINTMENTS and DOUBTS, and load the places of new salons."
  (let ((ids (seq-remove #'novablend-appointments--salon
                         (seq-uniq (seq-map (lambda (each) (plist-get each :salonId))
                                            (plist-get appointments :appointments))))))
    (if (null ids) (novablend-appointments--show appointments doubts)
      (novablend-view-gather
       (mapcar (lambda (id) `("salons/get" (:id ,id) optional)) ids)
       (lambda (&rest results)
         (dolist (result (delq nil results))
           (push (plist-get result :salon) novablend-appointments--salons))
         (novablend-appointments--show appointments doubts))))))

(defun novablend-appointments--salon (id)
  "The salon with ID, or nil if its place is not known."
  (seq-find (lambda (salon) (equal (plist-get salon :id) id)) novablend-appointments--salons))

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
             (list (concat note (propertize (format "  Type %s to do so, or %s to discard it."
                                                    (novablend-key #'novablend-resolve)
                                                    (novablend-key
                                                     #'novablend-appointments-discard))
                                            'face 'novablend-doubt))))
           (unless tabulated-list-entries
             (list (format "There are no appointments.  Type %s to book one."
                           (novablend-key #'novablend-book))))
           (novablend-view-notes))))

(defun novablend-appointments--entry (appointment)
  "The row of APPOINTMENT."
  (let ((end (novablend-appointment-end appointment))
        (salon (or (novablend-appointments--salon (plist-get appointment :salonId))
                   (novablend-appointment-salon appointment))))
    (list (append (list :salon salon) appointment)
          (novablend-view-row
           (list (concat (novablend-book--time-text (novablend-appointment-local appointment))
                         (when end (concat "-" end)))
                 (or (plist-get salon :name) (plist-get salon :id))
                 (plist-get salon :location)
                 (plist-get appointment :service)
                 (plist-get appointment :staff)
                 (or (plist-get appointment :status) "booked")
                 (plist-get appointment :phone)
                 (plist-get appointment :notes))))))

(defun novablend-appointments--doubt-entry (change)
  "The row of CHANGE, which is in doubt."
  (let* ((params (plist-get change :params))
         (time (plist-get params :appointmentTime))
         (salon (novablend-appointments--salon (plist-get params :salonId))))
    (list change
          (novablend-view-row
           (list (when time (novablend-book--time-text time))
                 (plist-get salon :name) (plist-get salon :location) nil nil "IN DOUBT"
                 (plist-get params :phone) (novablend-change-title change))
           'novablend-doubt))))

;;;; Commands

(defun novablend-appointments--at-point ()
  "The appointment at point."
  (let ((entry (tabulated-list-get-id)))
    (cond ((plist-get entry :key)
           (user-error "This is in doubt; type %s to find out what happened"
                       (novablend-key #'novablend-resolve)))
          (entry)
          (t (user-error "There is no appointment here")))))

(defun novablend-appointments-week ()
  "Show the week of the appointment at point."
  (interactive nil novablend-appointments-mode)
  (let ((appointment (novablend-appointments--at-point)))
    (novablend-week (plist-get appointment :salon) (novablend-appointment-date appointment)
                    (list :appointment appointment))))

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
