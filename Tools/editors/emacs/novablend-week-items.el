;;; novablend-week-items.el --- What a week contains  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; An item is a free time, a taken time, or an appointment.  In a week, each item that
;; can be used has the text property `novablend-item'.
;;
;; A column is what a week and a day consist of, a plist: `:date' is its opening day,
;; `:title' and `:heading' are its name in a grid and in an agenda, `:is-today' says
;; whether it is the current day, `:hours' and `:reason' are texts or nil, and `:items'
;; are in the order of time.

;;; Code:

(require 'novablend-book)
(require 'novablend-options)
(require 'novablend-text)
(require 'seq)
(require 'subr-x)

(defun novablend-week-items-columns (data moving)
  "The week DATA as a column for each day.
MOVING is the appointment that is moved, or nil."
  (let* ((availability (plist-get data :availability))
         (today (substring (plist-get availability :now) 0 10)))
    (seq-map (lambda (day)
               (let ((date (plist-get day :date)))
                 (list :date date
                       :title (novablend-week-items-short-date day)
                       :heading (string-trim-left
                                 (format "%s %s" (or (plist-get day :weekday) "") date))
                       :is-today (equal date today)
                       :hours (plist-get day :hours)
                       :reason (plist-get day :reason)
                       :items (novablend-week-items--of-day day data moving))))
             (plist-get availability :days))))

(defun novablend-week-items--of-day (day data moving)
  "The items on DAY of an availability; DATA is the week, and MOVING is moved."
  (let* ((date (plist-get day :date))
         (days (plist-get (plist-get data :availability) :days))
         (booked (mapcar (lambda (each) (novablend-week-items--appointment date each moving))
                         (seq-filter (lambda (each)
                                       (equal (novablend-week-items--opening-day each days) date))
                                     (plist-get data :appointments))))
         (staff (plist-get (plist-get data :salon) :staff))
         (slots (mapcar (lambda (slot) (novablend-week-items--slot date slot staff))
                        (novablend-slots day)))
         (shown (seq-remove (lambda (item) (novablend-week-items--hidden-p item booked)) slots)))
    (seq-sort-by #'novablend-week-items-row #'string< (append booked shown))))

(defun novablend-week-items--opening-day (appointment days)
  "The date among DAYS of an availability in whose hours APPOINTMENT is.
It is the day before if the salon is open past midnight until after its start."
  (let* ((date (novablend-appointment-date appointment))
         (time (novablend-appointment-time appointment))
         (before (seq-find (lambda (day)
                             (let ((next (novablend-week-items-minutes (concat date "T00:00")
                                                                       (plist-get day :date))))
                               (= next 1440)))
                           days))
         (last (car (last (split-string (or (plist-get before :hours) "") ", " t)))))
    (if (and last (string-match "\\`\\([0-9:]+\\)-\\([0-9:]+\\)\\'" last)
             (not (string< (match-string 1 last) (match-string 2 last)))
             (string< time (match-string 2 last)))
        (plist-get before :date)
      date)))

(defun novablend-week-items-minutes (time date)
  "The minutes from the beginning of DATE to TIME, in ISO 8601, on the same clock."
  (let ((day (lambda (text) (floor (float-time (encode-time (parse-time-string
                                                             (concat (substring text 0 10)
                                                                     " 00:00:00 Z"))))
                                   86400))))
    (+ (if (string-prefix-p date time) 0 (* 1440 (- (funcall day time) (funcall day date))))
       (* 60 (string-to-number (substring time 11 13)))
       (string-to-number (substring time 14 16)))))

(defun novablend-week-items-row (item)
  "The row of ITEM in a grid, as a text in the order of time."
  (format "%05d %s" (plist-get item :start) (plist-get item :time)))

(defun novablend-week-items--slot (date slot staff)
  "SLOT of the opening day DATE of a salon with STAFF as an item."
  (let ((start (plist-get slot :appointmentTime)))
    (append (list :kind (intern (plist-get slot :state))
                  :date (substring start 0 10)
                  :start (novablend-week-items-minutes start date)
                  :end (when-let* ((end (plist-get slot :end)))
                         (novablend-week-items-minutes end date))
                  :names (seq-map (lambda (id) (novablend-name staff id)) (plist-get slot :staff)))
            slot)))

(defun novablend-week-items--hidden-p (item booked)
  "Whether appointments are shown instead of ITEM; BOOKED are those of the day."
  (pcase (plist-get item :kind)
    ('own t)
    ('taken (seq-some (lambda (each)
                        (novablend-week-items-takes-p each (plist-get item :start)))
                      booked))))

(defun novablend-week-items--appointment (date appointment moving)
  "APPOINTMENT of the opening day DATE as an item; MOVING is moved."
  (let ((start (novablend-appointment-local appointment))
        (end (plist-get appointment :end)))
    (list :kind (cond ((and moving (equal (plist-get moving :id) (plist-get appointment :id)))
                       'moving)
                      ((eq (plist-get appointment :own) t) 'own)
                      (t 'booked))
          :date (substring start 0 10)
          :time (novablend-appointment-time appointment)
          :start (novablend-week-items-minutes start date)
          :end (when end (novablend-week-items-minutes end date))
          :appointment appointment)))

(defun novablend-week-items-label (item)
  "The text of ITEM."
  (let ((appointment (plist-get item :appointment))
        (count (or (plist-get item :free) 0)))
    (pcase (plist-get item :kind)
      ('free (if (> count 1) (format "%d free" count) "free"))
      ('unconfirmed "free?")
      ('taken "taken")
      (kind
       (let ((words (delq nil (list (plist-get appointment :service)
                                    (or (plist-get item :detail)
                                        (plist-get appointment :staff))))))
         (if words (mapconcat #'novablend-line words " ")
           (if (eq kind 'booked) "booked" "yours")))))))

(defun novablend-week-items--face (item)
  "The face for ITEM."
  (pcase (plist-get item :kind)
    ((or 'free 'unconfirmed) 'novablend-free)
    ('taken 'novablend-unavailable)
    ('own 'novablend-own)
    ('moving 'novablend-moving)
    (_ 'novablend-booked)))

(defun novablend-week-items-help (item)
  "Describe ITEM, and what can be done with it."
  (let ((when (format "%s %s" (plist-get item :date) (plist-get item :time)))
        (appointment (plist-get item :appointment)))
    (pcase (plist-get item :kind)
      ('free (concat when ", free"
                     (when-let* ((names (plist-get item :names)))
                       (concat ": " (apply #'novablend-words names)))
                     ".  RET chooses it"))
      ('unconfirmed (concat when ", may be taken.  RET chooses it"))
      ('taken (concat when ", taken"))
      (_ (concat when
                 (if-let* ((end (novablend-appointment-end appointment))) (concat "-" end) "")
                 ", "
                 (novablend-words (or (plist-get appointment :service) "appointment")
                                  (plist-get appointment :staff)
                                  (plist-get appointment :phone)
                                  (plist-get appointment :notes))
                 ".  m moves it, c cancels it")))))

(defun novablend-week-items-text (item text)
  "TEXT with the properties of ITEM."
  (if (eq (plist-get item :kind) 'taken)
      (propertize text 'face 'novablend-unavailable)
    (propertize text 'face (novablend-week-items--face item) 'mouse-face 'highlight
                'help-echo (novablend-week-items-help item) 'novablend-item item)))

(defun novablend-week-items-short-date (day)
  "The date of DAY of an availability, such as \"Mon 11-30\"."
  (concat (substring (or (plist-get day :weekday) "   ") 0 3)
          " " (substring (plist-get day :date) 5)))

(defun novablend-week-items-takes-p (item start)
  "Whether ITEM is an appointment that takes place START minutes after midnight."
  (and (plist-get item :appointment)
       (plist-get item :end)
       (<= (plist-get item :start) start)
       (< start (plist-get item :end))))

(provide 'novablend-week-items)
;;; novablend-week-items.el ends here
