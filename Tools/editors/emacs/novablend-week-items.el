;;; novablend-week-items.el --- What a week contains  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; An item is a free time, a taken time, or an appointment.  In a week, each item that
;; can be used has the text property `novablend-item'.

;;; Code:

(require 'novablend-book)
(require 'novablend-options)
(require 'seq)
(require 'subr-x)

(defun novablend-week-items (day data moving)
  "DAY of an availability with the items on it, in the order of time.
DATA is the week, and MOVING the appointment that is moved."
  (let* ((date (plist-get day :date))
         (booked (mapcar (lambda (each) (novablend-week-items--appointment date each moving))
                         (seq-filter (lambda (each)
                                       (equal (novablend-appointment-date each) date))
                                     (plist-get data :appointments))))
         (staff (plist-get (plist-get data :salon) :staff))
         (slots (mapcar (lambda (slot) (novablend-week-items--slot date slot staff))
                        (novablend-slots day)))
         (shown (seq-remove (lambda (item) (novablend-week-items--hidden-p item booked)) slots)))
    (list :day day
          :items (seq-sort-by (lambda (item) (plist-get item :time)) #'string<
                              (append booked shown)))))

(defun novablend-week-items--slot (date slot staff)
  "SLOT on DATE of a salon with STAFF as an item."
  (append (list :kind (intern (plist-get slot :state)) :date date
                :names (seq-map (lambda (id) (novablend-name staff id)) (plist-get slot :staff)))
          slot))

(defun novablend-week-items--hidden-p (item booked)
  "Whether appointments are shown instead of ITEM; BOOKED are those of the day."
  (pcase (plist-get item :kind)
    ('own t)
    ('taken (seq-some (lambda (each)
                        (novablend-week-items-takes-p each (plist-get item :time)))
                      booked))))

(defun novablend-week-items--appointment (date appointment moving)
  "APPOINTMENT on DATE as an item; MOVING is the appointment that is moved."
  (list :kind (cond ((and moving (equal (plist-get moving :id) (plist-get appointment :id)))
                     'moving)
                    ((eq (plist-get appointment :own) t) 'own)
                    (t 'booked))
        :date date
        :time (novablend-appointment-time appointment)
        :appointment appointment))

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
                                    (plist-get appointment :staff)))))
         (if words (novablend-line (string-join words " "))
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
                       (concat ": " (apply #'novablend-read--words names)))
                     ".  RET chooses it"))
      ('unconfirmed (concat when ", may be taken.  RET chooses it"))
      ('taken (concat when ", taken"))
      (_ (concat when
                 (if-let* ((end (novablend-appointment-end appointment))) (concat "-" end) "")
                 ", "
                 (novablend-read--words (novablend-week-items-label item)
                                        (plist-get appointment :phone)
                                        (plist-get appointment :notes))
                 ".  m moves it, c cancels it")))))

(defun novablend-week-items-text (item text)
  "TEXT with the properties of ITEM."
  (if (eq (plist-get item :kind) 'taken)
      (propertize text 'face 'novablend-unavailable)
    (propertize text 'face (novablend-week-items--face item) 'mouse-face 'highlight
                'help-echo (novablend-week-items-help item) 'novablend-item item)))

(defun novablend-week-items-fit (text width)
  "TEXT, truncated to WIDTH columns."
  (truncate-string-to-width text (max 0 width) nil nil "…"))

(defun novablend-week-items-short-date (day)
  "The date of DAY of an availability, such as \"Mon 11-30\"."
  (concat (substring (or (plist-get day :weekday) "   ") 0 3)
          " " (substring (plist-get day :date) 5)))

(defun novablend-week-items-takes-p (item time)
  "Whether ITEM is an appointment that takes place at TIME."
  (when-let* ((appointment (plist-get item :appointment))
              (end (novablend-appointment-end appointment)))
    (and (not (string< time (plist-get item :time)))
         (string< time end))))

(provide 'novablend-week-items)
;;; novablend-week-items.el ends here
