;;; novablend-week.el --- The week of a salon  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-week' shows the free times and the appointments of a salon, by day, or one day
;; by staff.  Times can be booked, and appointments moved and cancelled.

;;; Code:

(require 'novablend-book)
(require 'novablend-change)
(require 'novablend-day)
(require 'novablend-text)
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
    (define-key map "d" #'novablend-week-toggle-day)
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
(defvar-local novablend-week--title nil "The salon as it is in the name of the buffer.")
(defvar-local novablend-week--start "today" "The first day.")
(defvar-local novablend-week--day nil "The date of the day that is shown, or nil for a week.")
(defvar-local novablend-week--goal nil
  "Where point goes when the week has been loaded.
It is `free' for the first free time, or an item.")
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
  (add-hook 'window-configuration-change-hook #'novablend-week--fit nil t)
  (add-hook 'text-scale-mode-hook #'novablend-week--fit nil t))

;;;###autoload
(defun novablend-week (&optional salon date item)
  "Show the week of SALON from DATE on, by default from today.
Point moves to ITEM, by default the first free time."
  (interactive)
  (let ((salon (or salon (novablend-read-salon))))
    (novablend-view-open (novablend-week--buffer salon) 'novablend-week-mode)
    (setq novablend-week--id (plist-get salon :id)
          novablend-week--day nil)
    (unless novablend-week--title (setq novablend-week--title (novablend-salon-title salon)))
    (novablend-week--go (or date "today") item)))

;;;###autoload
(defun novablend-day (&optional salon date)
  "Show the day DATE of SALON, by default today, by staff member."
  (interactive)
  (novablend-week salon date)
  (setq novablend-week--day (or date "today")))

(defun novablend-week--buffer (salon)
  "The buffer for the week of SALON.
Salons may share a name, and even a place, so the buffer is found by the id."
  (or (seq-find (lambda (buffer)
                  (equal (buffer-local-value 'novablend-week--id buffer) (plist-get salon :id)))
                (novablend-view-buffers))
      (generate-new-buffer (novablend-week--buffer-name (novablend-salon-title salon)))))

(defun novablend-week--buffer-name (title)
  "The name of a buffer for the salon with TITLE."
  (format "*NovaBlend week: %s*" title))

(defun novablend-week--load ()
  "Load the salon, its free times, and its appointments."
  (let ((range (list :salonId novablend-week--id :start novablend-week--start :days 7)))
    (novablend-view-gather
     `(("salons/get" (:id ,novablend-week--id))
       ("salons/availability"
        (:fields ["weekday" "hours" "reason" "slots"]
         ,@range
         ,@(if novablend-week--moving
               (novablend-appointment-options novablend-week--moving novablend-week--day)
             (novablend-book--options novablend-week--service novablend-week--staff))))
       ;; The last day may end past midnight.
       ("appointments/list"
        (:fields ["version" "status" "salonId" "start" "end" "phone" "notes" "serviceId"
                  "staffId" "staffAssigned" "seats" "service" "staff" "own"]
         ,@(plist-put (copy-sequence range) :days 8))))
     #'novablend-week--receive)))

(defun novablend-week--day-after (date days)
  "The date that is DAYS after DATE."
  (let ((noon (parse-iso8601-time-string (concat date "T12:00:00Z"))))
    (format-time-string "%F" (time-add noon (* 86400 days)) t)))

(defun novablend-week--receive (salon availability appointments)
  "Show the results SALON, AVAILABILITY, and APPOINTMENTS."
  (novablend-view-set-provenance
   (or (plist-get availability :provenance) (plist-get appointments :provenance)))
  (let ((salon (plist-get salon :salon)))
    (setq novablend-week--data
          (list :salon salon
                :availability (plist-put availability :days
                                         (novablend-week--last-days (plist-get availability :days)))
                :appointments (mapcar (lambda (each) (append (list :salon salon) each))
                                      (seq-filter #'novablend-week--shown-p
                                                  (plist-get appointments :appointments)))))
    (unless (equal novablend-week--title (novablend-salon-title salon))
      (setq novablend-week--title (novablend-salon-title salon))
      (rename-buffer (novablend-week--buffer-name novablend-week--title) t)))
  (when (equal novablend-week--day "today")
    (setq novablend-week--day (substring (plist-get availability :now) 0 10)))
  (novablend-week--show))

(defun novablend-week--last-days (days)
  "The last seven of DAYS.
Before them is the day of which the first date has the hours past midnight."
  (seq-drop days (max 0 (- (length days) 7))))

(defun novablend-week--shown-p (appointment)
  "Whether APPOINTMENT belongs to the staff member who is shown."
  (or (null novablend-week--staff)
      (equal novablend-week--staff (plist-get appointment :staffId))))

(defun novablend-week--show ()
  "Lay out the week or the day, and stay at the same place."
  (let ((inhibit-read-only t)
        (goal (or novablend-week--goal (get-text-property (point) 'novablend-item)))
        (line (line-number-at-pos))
        (column (current-column)))
    (setq novablend-week--width (novablend-view-width)
          novablend-week--goal nil
          ;; Their width would shift the lines, but not the header.
          display-line-numbers nil)
    (erase-buffer)
    (novablend-week-layout-insert
     (novablend-week--columns) novablend-week--width
     :salon (plist-get novablend-week--data :salon)
     :heading (novablend-week--heading)
     :keys (if (novablend-week--shown-day) "RET book  m move  c cancel  < > day  d week  ? all keys"
             "RET book  m move  c cancel  d day  < > week  ? all keys"))
    (novablend-view-insert-notes
     (append (when-let* ((note (novablend-change-doubt-note))) (list note))
             (novablend-view-notes)))
    (set-buffer-modified-p nil)
    (goto-char (point-min))
    (unless (and goal (novablend-week--find goal))
      (forward-line (1- line))
      (move-to-column column))
    (when-let* ((window (get-buffer-window nil t))) (set-window-point window (point)))))

(defun novablend-week--shown-day ()
  "The day of the availability that is shown; nil for a week."
  (and novablend-week--day
       (seq-find (lambda (day) (equal (plist-get day :date) novablend-week--day))
                 (plist-get (plist-get novablend-week--data :availability) :days))))

(defun novablend-week--columns ()
  "The columns of the week, or of the day that is shown."
  (let ((columns (novablend-week-items-columns novablend-week--data novablend-week--moving)))
    (if (novablend-week--shown-day)
        (novablend-day-columns
         (seq-find (lambda (each) (equal (plist-get each :date) novablend-week--day)) columns)
         (plist-get novablend-week--data :salon) novablend-week--staff)
      columns)))

(defun novablend-week--heading ()
  "What is shown: the days, the time zone, and what was chosen."
  (let* ((availability (plist-get novablend-week--data :availability))
         (day (novablend-week--shown-day))
         (dates (seq-map (lambda (each) (plist-get each :date)) (plist-get availability :days))))
    (mapconcat #'identity
               (append (if day
                           (list (concat (plist-get day :weekday) " " (plist-get day :date))
                                 (novablend-line (or (plist-get day :hours)
                                                     (plist-get day :reason) "closed")))
                         (list (format "%s to %s" (car dates) (car (last dates)))))
                       (when-let* ((zone (plist-get availability :timeZone)))
                         (list (novablend-isolate zone)))
                       (novablend-week--choices))
               " · ")))

(defun novablend-week--find (goal)
  "Move to GOAL, an item or its replacement, and return non-nil if it is shown.
The goal `free' is the first free time."
  (let ((id (plist-get (and (listp goal) (plist-get goal :appointment)) :id)))
    (if (eq goal 'free) (novablend-week--search #'novablend-week--free-p)
      (or (and id
               (novablend-week--search
                (lambda (item) (equal (plist-get (plist-get item :appointment) :id) id))))
          (novablend-week--search
           (lambda (item)
             (and (equal (plist-get item :date) (plist-get goal :date))
                  (equal (plist-get item :time) (plist-get goal :time))
                  (or (null (plist-get goal :member)) (null (plist-get item :member))
                      (equal (plist-get item :member) (plist-get goal :member))))))))))

(defun novablend-week--search (condition)
  "Move to the first item that satisfies CONDITION; return nil if there is none."
  (goto-char (point-min))
  (when-let* ((match (text-property-search-forward
                      'novablend-item nil (lambda (_ item) (and item (funcall condition item))))))
    (goto-char (prop-match-beginning match))))

(defun novablend-week--choices ()
  "What is shown besides the salon: a service, a staff member, or a move."
  (let ((salon (plist-get novablend-week--data :salon)))
    (delq nil
          (if novablend-week--moving
              (list (concat "moving " (novablend-appointment-summary novablend-week--moving t)
                            ": RET on a free time, or m to stop"))
            (mapcar (lambda (name) (and name (novablend-isolate name)))
                    (list (novablend-name (plist-get salon :services) novablend-week--service)
                          (novablend-name (plist-get salon :staff) novablend-week--staff)))))))

(defun novablend-week--fit ()
  "Lay out the week again if the width of its window has changed."
  (when (and novablend-week--data
             (not (eql novablend-week--width (novablend-view-width))))
    (novablend-week--show)))

;;;; What is at point

(defun novablend-week--item ()
  "The free time or the appointment at point, as a plist."
  (or (get-text-property (point) 'novablend-item) (user-error "There is nothing here")))

(defun novablend-week--free-p (item)
  "Whether ITEM is a free time."
  (memq (plist-get item :kind) '(free unconfirmed)))

(defun novablend-week--free ()
  "The free time at point, as an item."
  (let ((item (novablend-week--item)))
    (unless (novablend-week--free-p item) (user-error "This time is not free"))
    item))

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
  "Book the free time at point, in a day with the staff member of the column."
  (interactive nil novablend-week-mode)
  (let* ((item (novablend-week--free))
         (time (plist-get item :appointmentTime))
         (salon (plist-get novablend-week--data :salon))
         (member (or (plist-get item :member) novablend-week--staff))
         (service (or novablend-week--service (novablend-read-service salon member)))
         (member (or member (novablend-read-staff salon service time))))
    (novablend-book-at salon service member time)))

(defun novablend-week-move ()
  "Move an appointment: choose the one at point, or move it to the time at point."
  (interactive nil novablend-week-mode)
  (let ((item (get-text-property (point) 'novablend-item))
        (moving novablend-week--moving))
    (cond ((plist-get item :appointment)
           (setq novablend-week--moving (plist-get item :appointment)))
          ((and moving (novablend-week--free-p item))
           (when (novablend-week--move-to item)
             (setq novablend-week--moving nil)))
          (moving (setq novablend-week--moving nil))
          (t (user-error "There is no appointment here")))
    (when novablend-week--moving
      (message "Go to a free time, and type RET; m anywhere else stops the move"))
    (novablend-view-refresh)))

(defun novablend-week--move-to (item)
  "Move the appointment to ITEM, a free time; return nil if the user declines.
In a day, it moves to the staff member of the column."
  (let ((member (plist-get item :member)))
    (when (equal member (plist-get novablend-week--moving :staffId)) (setq member nil))
    (novablend-appointment-move
     novablend-week--moving (plist-get item :appointmentTime) member
     (novablend-name (plist-get (plist-get novablend-week--data :salon) :staff) member))))

(defun novablend-week-cancel ()
  "Cancel the appointment at point."
  (interactive nil novablend-week-mode)
  (novablend-appointment-cancel (novablend-week--appointment)))

;;;; What is shown

(defun novablend-week-choose-service ()
  "Show when a service can be booked.  If one is shown, show all times again."
  (interactive nil novablend-week-mode)
  (let ((salon (plist-get novablend-week--data :salon)))
    (when (seq-empty-p (plist-get salon :services))
      (user-error "%s lists no services" (novablend-salon-title salon)))
    (setq novablend-week--service
          (unless novablend-week--service (novablend-read-service salon novablend-week--staff)))
    (novablend-view-refresh)))

(defun novablend-week-choose-staff ()
  "Show the week of a staff member, or of anyone."
  (interactive nil novablend-week-mode)
  (let ((salon (plist-get novablend-week--data :salon)))
    (when (seq-empty-p (plist-get salon :staff))
      (user-error "%s lists no staff" (novablend-salon-title salon)))
    (setq novablend-week--staff (novablend-read-staff salon novablend-week--service))
    (novablend-view-refresh)))

(defun novablend-week-toggle-day ()
  "Show the day at point with a column for each staff member, or the week again."
  (interactive nil novablend-week-mode)
  (unless novablend-week--data (user-error "The week is not loaded yet"))
  (setq novablend-week--day (unless novablend-week--day (novablend-week--date)))
  (novablend-week--show)
  ;; In a day, an appointment can be moved to other staff.
  (when novablend-week--moving (novablend-view-refresh)))

(defun novablend-week--date ()
  "The date at point, by default today, or the first day of the week."
  (let* ((availability (plist-get novablend-week--data :availability))
         (dates (seq-map (lambda (day) (plist-get day :date)) (plist-get availability :days)))
         (today (substring (plist-get availability :now) 0 10)))
    (or (get-text-property (point) 'novablend-date)
        (car (member today dates))
        (car dates))))

(defun novablend-week--go (date &optional goal)
  "Show the week from DATE on, and move to GOAL, by default the first free time."
  (setq novablend-week--start date
        novablend-week--goal (or goal 'free))
  (novablend-view-refresh))

(defun novablend-week--first-day ()
  "The first day of the week, which may still be loading."
  (if (equal novablend-week--start "today")
      ;; Before it, there may be the hours past midnight of the day before.
      (substring (or (plist-get (plist-get novablend-week--data :availability) :now)
                     (user-error "The week is not loaded yet"))
                 0 10)
    novablend-week--start))

(defun novablend-week--step (count)
  "Show the week that is COUNT weeks later, or the day that is COUNT days later."
  (if novablend-week--day
      (progn (when (equal novablend-week--day "today") (user-error "The day is not loaded yet"))
             (novablend-week--go-to-day (novablend-week--day-after novablend-week--day count)))
    (novablend-week--go (novablend-week--day-after (novablend-week--first-day) (* 7 count)))))

(defun novablend-week--go-to-day (date)
  "Show the day DATE, whose week may have to be loaded."
  (setq novablend-week--day date
        novablend-week--goal 'free)
  (if (seq-some (lambda (day) (equal (plist-get day :date) date))
                (plist-get (plist-get novablend-week--data :availability) :days))
      (novablend-week--show)
    (novablend-week--go date)))

(defun novablend-week-forward ()
  "Show the next seven days, or the next day."
  (interactive nil novablend-week-mode)
  (novablend-week--step 1))

(defun novablend-week-backward ()
  "Show the previous seven days, or the previous day."
  (interactive nil novablend-week-mode)
  (novablend-week--step -1))

(defun novablend-week-today ()
  "Show the week from today on, or today."
  (interactive nil novablend-week-mode)
  (when novablend-week--day (setq novablend-week--day "today"))
  (novablend-week--go "today"))

(defun novablend-week-goto (date)
  "Show the week from DATE on, or the day DATE, such as 2026-12-24."
  (interactive (list (read-string (format "%s at %s (such as 2026-12-24): "
                                          (if novablend-week--day "Day" "First day")
                                          (or novablend-week--title "this salon"))))
               novablend-week-mode)
  (unless (string-match-p "\\`[0-9]\\{4\\}-[0-9][0-9]-[0-9][0-9]\\'" date)
    (user-error "Write the day as 2026-12-24"))
  (if novablend-week--day (novablend-week--go-to-day date) (novablend-week--go date)))

(provide 'novablend-week)
;;; novablend-week.el ends here
