;;; novablend-week-layout.el --- The layout of a week  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A week is laid out as a grid with a column for each day, or, in a narrow window,
;; as an agenda.

;;; Code:

(require 'cl-lib)
(require 'novablend-options)
(require 'novablend-week-grid)
(require 'novablend-week-items)
(require 'seq)
(require 'subr-x)

(defconst novablend-week-layout--grid-width 74
  "The minimum width of a window for an automatic grid, in columns.")

(defconst novablend-week-layout--keys
  "RET book  m move  c cancel  < > week  j day  g refresh"
  "The most important keys.")

(cl-defun novablend-week-layout-insert (data width &key choices moving)
  "Insert the week DATA into this buffer, for a window with WIDTH columns.
CHOICES are texts for the heading.  MOVING is the appointment that is moved."
  (let* ((availability (plist-get data :availability))
         (days (seq-map (lambda (day) (novablend-week-items day data moving))
                        (plist-get availability :days)))
         (today (substring (plist-get availability :now) 0 10))
         (is-grid (if (eq novablend-week-layout 'automatic)
                      (>= width novablend-week-layout--grid-width)
                    (eq novablend-week-layout 'grid))))
    (novablend-week-layout--insert-heading data choices width)
    (setq header-line-format nil)
    (if is-grid
        (novablend-week-grid-insert days today width)
      (novablend-week-layout--insert-agenda days today width))
    (novablend-week-layout--insert-offers (plist-get data :salon) width)
    (insert (propertize (novablend-week-items-fit novablend-week-layout--keys (1- width))
                        'face 'novablend-unavailable)
            "\n")))

(defun novablend-week-layout--insert-offers (salon width)
  "Insert the services and the staff of SALON within WIDTH, with the keys for them."
  (pcase-dolist (`(,title ,key) '(("Services (v): " :services) ("Staff (s): " :staff)))
    (when-let* ((names (mapcar (lambda (each) (plist-get each :name)) (plist-get salon key))))
      (insert (propertize (novablend-week-items-fit
                           (concat title (apply #'novablend-read--words names)) (1- width))
                          'face 'novablend-unavailable)
              "\n"))))

(defun novablend-week-layout--insert-heading (data choices width)
  "Insert the name of the salon in DATA, the range, and CHOICES, within WIDTH."
  (let* ((salon (plist-get data :salon))
         (availability (plist-get data :availability))
         (dates (mapcar (lambda (day) (plist-get day :date))
                        (plist-get availability :days)))
         (lines (list (propertize (novablend-read--words (plist-get salon :name)
                                                         (plist-get salon :location))
                                  'face 'novablend-heading)
                      (string-join
                       (mapcar #'novablend-line
                               (delq nil `(,(format "%s to %s" (car dates) (car (last dates)))
                                           ,(plist-get availability :timeZone)
                                           ,@choices)))
                       " · "))))
    (dolist (line lines)
      (insert (novablend-week-items-fit line (1- width)) "\n"))
    (insert "\n")))

;;;; The agenda

(defun novablend-week-layout--insert-agenda (days today width)
  "Insert DAYS as paragraphs with at most WIDTH columns; one of them may be TODAY."
  (dolist (each days)
    (let* ((day (plist-get each :day))
           (date (plist-get day :date))
           (items (plist-get each :items))
           (booked (seq-filter (lambda (item) (plist-get item :appointment)) items)))
      (insert (novablend-week-items-fit
               (concat (propertize (format "%s %s" (or (plist-get day :weekday) "") date)
                                   'face (if (equal date today) 'novablend-today 'novablend-heading))
                       (propertize (concat "  " (plist-get day :hours))
                                   'face 'novablend-unavailable))
               (1- width))
              "\n")
      (dolist (item booked) (novablend-week-layout--insert-booked item width))
      (novablend-week-layout--insert-times (seq-difference items booked) width)
      (when-let* ((reason (plist-get day :reason)))
        (insert "  " (propertize (novablend-week-items-fit (novablend-line reason) (- width 3))
                                 'face 'novablend-unavailable)
                "\n"))
      (insert "\n"))))

(defun novablend-week-layout--insert-booked (item width)
  "Insert ITEM, an appointment, as a line with at most WIDTH columns."
  (let* ((appointment (plist-get item :appointment))
         (text (concat (plist-get item :time)
                       (if-let* ((end (novablend-appointment-end appointment)))
                           (concat "-" end) "")
                       "  "
                       (novablend-read--words (novablend-week-items-label item)
                                              (plist-get appointment :phone)))))
    (insert "  " (novablend-week-items-text item (novablend-week-items-fit text (- width 3)))
            "\n")))

(defun novablend-week-layout--insert-times (items width)
  "Insert ITEMS, which are times, in lines with at most WIDTH columns."
  (let ((room 0))
    (dolist (item items)
      (let ((text (novablend-week-items-text
                   item (concat (plist-get item :time)
                                (if (eq (plist-get item :kind) 'unconfirmed) "?" "")))))
        (when (< (- room (length text) 2) 0)
          (unless (bolp) (insert "\n"))
          (setq room (- width 2)))
        (insert "  " text)
        (cl-decf room (+ 2 (length text)))))
    (unless (bolp) (insert "\n"))))

(provide 'novablend-week-layout)
;;; novablend-week-layout.el ends here
