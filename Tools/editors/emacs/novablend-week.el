;;; novablend-week.el --- The week of a salon  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-week' shows the free times and the appointments of a salon.  Times can
;; be booked, and appointments moved and cancelled.

;;; Code:

(require 'novablend-book)
(require 'novablend-change)
(require 'novablend-view)
(require 'novablend-week-items)
(require 'novablend-week-layout)
(require 'parse-time)
(require 'seq)
(require 'text-property-search)

(declare-function novablend-appointments "novablend-appointments")

(defvar novablend-week-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'novablend-week-act)
    (define-key map [mouse-2] #'novablend-week-act-on-click)
    (define-key map [follow-link] 'mouse-face)
    (define-key map (kbd "TAB") #'novablend-week-next-item)
    (define-key map (kbd "<backtab>") #'novablend-week-previous-item)
    (define-key map "b" #'novablend-week-book)
    (define-key map "m" #'novablend-week-move)
    (define-key map "c" #'novablend-week-cancel)
    (define-key map "v" #'novablend-week-choose-service)
    (define-key map "s" #'novablend-week-choose-staff)
    (define-key map ">" #'novablend-week-forward)
    (define-key map "<" #'novablend-week-backward)
    (define-key map "n" #'novablend-week-forward)
    (define-key map "p" #'novablend-week-backward)
    (define-key map "." #'novablend-week-today)
    (define-key map "j" #'novablend-week-goto)
    (define-key map "?" #'describe-mode)
    (define-key map "a" #'novablend-appointments)
    (define-key map "r" #'novablend-resolve)
    map)
  "The keys of `novablend-week-mode'.")

(defvar-local novablend-week--id nil "The id of the salon.")
(defvar-local novablend-week--start "today" "The first day.")
(defvar-local novablend-week--service nil "The id of the service that is shown, or nil.")
(defvar-local novablend-week--staff nil "The id of the staff member who is shown, or nil.")
(defvar-local novablend-week--moving nil "The appointment that is being moved, or nil.")
(defvar-local novablend-week--data nil
  "What is shown: the salon, its availability, and its appointments.")
(defvar-local novablend-week--width nil "The width for which the week is laid out.")

(define-derived-mode novablend-week-mode special-mode "Week"
  "The week of a salon.

RET books the free time at point, or says what the appointment at point is.
To move an appointment, type \\<novablend-week-mode-map>\\[novablend-week-move] on it, \
and then RET on a free time.

\\{novablend-week-mode-map}"
  (setq truncate-lines t)
  (novablend-view-setup #'novablend-week--load "appointments" "salons")
  (add-hook 'window-configuration-change-hook #'novablend-week--fit nil t))

;;;###autoload
(defun novablend-week (&optional salon date)
  "Show the week of SALON from DATE on, by default from today."
  (interactive)
  (let* ((salon (or salon (novablend-read-salon)))
         (name (novablend-line (or (plist-get salon :name) (plist-get salon :id)))))
    (novablend-view-open (format "*NovaBlend week: %s*" name) 'novablend-week-mode)
    (setq novablend-week--id (plist-get salon :id)
          novablend-week--start (or date "today"))
    (novablend-view-refresh)))

(defun novablend-week--load ()
  "Load the salon, its free times, and its appointments."
  (let ((range (list :salonId novablend-week--id :start novablend-week--start :days 7)))
    (novablend-view-gather
     `(("salons/get" (:id ,novablend-week--id))
       ("salons/availability"
        (:fields ["weekday" "hours" "reason" "slots"]
         ,@range
         ,@(if novablend-week--moving (novablend-appointment-options novablend-week--moving)
             (novablend-book--options novablend-week--service novablend-week--staff))))
       ("appointments/list"
        (:fields ["version" "status" "salonId" "appointmentTime" "phone" "notes" "serviceId"
                  "staffId" "staffAssigned" "seats" "endTime" "when" "service" "staff" "own"]
         ,@range)))
     #'novablend-week--receive)))

(defun novablend-week--day-after (date days)
  "The date that is DAYS after DATE."
  (let ((noon (parse-iso8601-time-string (concat date "T12:00:00Z"))))
    (format-time-string "%F" (time-add noon (* 86400 days)) t)))

(defun novablend-week--receive (salon availability appointments)
  "Show the results SALON, AVAILABILITY, and APPOINTMENTS."
  (novablend-view-set-provenance
   (or (plist-get availability :provenance) (plist-get appointments :provenance)))
  (setq novablend-week--data
        (list :salon (plist-get salon :salon) :availability availability
              :appointments (seq-filter #'novablend-week--shown-p
                                        (plist-get appointments :appointments))))
  (novablend-week--show))

(defun novablend-week--shown-p (appointment)
  "Whether APPOINTMENT belongs to the staff member who is shown."
  (or (null novablend-week--staff)
      (equal novablend-week--staff (plist-get appointment :staffId))))

(defun novablend-week--show ()
  "Lay out the week, and stay at the same place."
  (let ((inhibit-read-only t)
        (item (get-text-property (point) 'novablend-item))
        (line (line-number-at-pos))
        (column (current-column)))
    (setq novablend-week--width (novablend-view-width))
    (erase-buffer)
    (novablend-week-layout-insert
     novablend-week--data novablend-week--width
     :choices (novablend-week--choices) :moving novablend-week--moving)
    (novablend-view-insert-notes
     (append (when-let* ((note (novablend-change-doubt-note))) (list note))
             (novablend-view-notes)))
    (set-buffer-modified-p nil)
    (goto-char (point-min))
    (unless (and item (novablend-week--find item))
      (forward-line (1- line))
      (move-to-column column))
    (when-let* ((window (get-buffer-window nil t))) (set-window-point window (point)))))

(defun novablend-week--find (item)
  "Move to ITEM, or to its replacement, and return non-nil if it is shown."
  (let ((same (lambda (_ found)
                (and found
                     (equal (plist-get found :date) (plist-get item :date))
                     (equal (plist-get found :time) (plist-get item :time))))))
    (when-let* ((match (text-property-search-forward 'novablend-item nil same)))
      (goto-char (prop-match-beginning match)))))

(defun novablend-week--choices ()
  "What is shown besides the salon: a service, a staff member, or a move."
  (let ((salon (plist-get novablend-week--data :salon)))
    (delq nil
          (if novablend-week--moving
              (list (concat "moving " (novablend-appointment-summary novablend-week--moving)
                            ": RET on a free time, or m to stop"))
            (list (novablend-name (plist-get salon :services) novablend-week--service)
                  (novablend-name (plist-get salon :staff) novablend-week--staff))))))

(defun novablend-week--fit ()
  "Lay out the week again if the width of its window has changed."
  (when (and novablend-week--data
             (not (eql novablend-week--width (novablend-view-width))))
    (novablend-week--show)))

;;;; What is at point

(defun novablend-week--item ()
  "The free time or the appointment at point, as a plist."
  (or (get-text-property (point) 'novablend-item) (user-error "There is nothing here")))

(defun novablend-week--free ()
  "The free time at point, as an `:appointmentTime'."
  (let ((item (novablend-week--item)))
    (unless (memq (plist-get item :kind) '(free unconfirmed))
      (user-error "This time is not free"))
    (plist-get item :appointmentTime)))

(defun novablend-week--appointment ()
  "The appointment at point."
  (or (plist-get (novablend-week--item) :appointment)
      (user-error "There is no appointment here")))

(defun novablend-week-act ()
  "Book or move to the free time at point, or describe the appointment at point."
  (interactive nil novablend-week-mode)
  (cond ((plist-get (novablend-week--item) :appointment)
         (message "%s" (novablend-week-items-help (novablend-week--item))))
        (novablend-week--moving (novablend-week-move))
        (t (novablend-week-book))))

(defun novablend-week-act-on-click (event)
  "Do what RET does where EVENT happened."
  (interactive "e" novablend-week-mode)
  (mouse-set-point event)
  (novablend-week-act))

(defun novablend-week-next-item ()
  "Move to the next free time or appointment, and describe it."
  (interactive nil novablend-week-mode)
  (novablend-week--goto-item (text-property-search-forward 'novablend-item nil nil t)))

(defun novablend-week-previous-item ()
  "Move to the previous free time or appointment, and describe it."
  (interactive nil novablend-week-mode)
  (novablend-week--goto-item (text-property-search-backward 'novablend-item nil nil t)))

(defun novablend-week--goto-item (match)
  "Move to MATCH, the result of a search."
  (unless match (user-error "There are no more items"))
  (goto-char (prop-match-beginning match))
  (message "%s" (novablend-week-items-help (novablend-week--item))))

;;;; Changes

(defun novablend-week-book ()
  "Book the free time at point."
  (interactive nil novablend-week-mode)
  (let* ((time (novablend-week--free))
         (salon (plist-get novablend-week--data :salon))
         (service (or novablend-week--service (novablend-read-service salon)))
         (member (or novablend-week--staff (novablend-read-staff salon service time))))
    (novablend-book-at salon service member time)))

(defun novablend-week-move ()
  "Move an appointment: choose the one at point, or move it to the time at point."
  (interactive nil novablend-week-mode)
  (let ((item (get-text-property (point) 'novablend-item))
        (moving novablend-week--moving))
    (cond ((plist-get item :appointment)
           (setq novablend-week--moving (plist-get item :appointment)))
          ((and moving (memq (plist-get item :kind) '(free unconfirmed)))
           (when (novablend-appointment-move moving (novablend-week--free))
             (setq novablend-week--moving nil)))
          (moving (setq novablend-week--moving nil))
          (t (user-error "There is no appointment here")))
    (when novablend-week--moving
      (message "Go to a free time, and type RET; m anywhere else stops the move"))
    (novablend-view-refresh)))

(defun novablend-week-cancel ()
  "Cancel the appointment at point."
  (interactive nil novablend-week-mode)
  (novablend-appointment-cancel (novablend-week--appointment)))

;;;; What is shown

(defun novablend-week-choose-service ()
  "Show when a service can be booked.  If one is shown, show all times again."
  (interactive nil novablend-week-mode)
  (setq novablend-week--service
        (unless novablend-week--service
          (or (novablend-read-service (plist-get novablend-week--data :salon))
              (user-error "This salon lists no services"))))
  (novablend-view-refresh))

(defun novablend-week-choose-staff ()
  "Show the week of a staff member, or of anyone."
  (interactive nil novablend-week-mode)
  (let ((salon (plist-get novablend-week--data :salon)))
    (when (seq-empty-p (plist-get salon :staff)) (user-error "This salon lists no staff"))
    (setq novablend-week--staff (novablend-read-staff salon novablend-week--service))
    (novablend-view-refresh)))

(defun novablend-week--go (date)
  "Show the week from DATE on."
  (setq novablend-week--start date)
  (novablend-view-refresh))

(defun novablend-week--first-day ()
  "The first day of the week, which may still be loading."
  (if (equal novablend-week--start "today")
      (or (plist-get (seq-first (plist-get (plist-get novablend-week--data :availability) :days))
                     :date)
          (user-error "The week is not loaded yet"))
    novablend-week--start))

(defun novablend-week-forward ()
  "Show the next seven days."
  (interactive nil novablend-week-mode)
  (novablend-week--go (novablend-week--day-after (novablend-week--first-day) 7)))

(defun novablend-week-backward ()
  "Show the previous seven days."
  (interactive nil novablend-week-mode)
  (novablend-week--go (novablend-week--day-after (novablend-week--first-day) -7)))

(defun novablend-week-today ()
  "Show the week from today on."
  (interactive nil novablend-week-mode)
  (novablend-week--go "today"))

(defun novablend-week-goto (date)
  "Show the week from DATE on, such as 2026-12-24."
  (interactive (list (read-string "First day (such as 2026-12-24): ")) novablend-week-mode)
  (unless (string-match-p "\\`[0-9]\\{4\\}-[0-9][0-9]-[0-9][0-9]\\'" date)
    (user-error "Write the day as 2026-12-24"))
  (novablend-week--go date))

(provide 'novablend-week)
;;; novablend-week.el ends here
