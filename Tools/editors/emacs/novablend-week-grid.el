;;; novablend-week-grid.el --- A week with a column for each day  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each time has a row, and in it a line for each appointment that begins.

;;; Code:

(require 'novablend-week-items)
(require 'seq)
(require 'subr-x)

(defun novablend-week-grid-insert (days today width)
  "Insert DAYS as columns of a window with WIDTH columns; one of them may be TODAY."
  (let* ((times (sort (seq-uniq (seq-mapcat
                                 (lambda (day) (mapcar (lambda (item) (plist-get item :time))
                                                       (plist-get day :items)))
                                 days))
                      #'string<))
         (margin (1+ (apply #'max 5 (mapcar #'length times))))
         (column (min 18 (/ (- width margin 1) (max 1 (length days))))))
    (setq header-line-format
          (concat (propertize " " 'display '(space :align-to 0)) (make-string margin ?\s)
                  (mapconcat (lambda (day) (novablend-week-grid--title day today column))
                             days "")))
    (seq-mapn
     (lambda (time previous)
       (when (novablend-week-grid--gap-p previous time) (insert "\n"))
       (novablend-week-grid--insert-row days time margin column))
     times (cons nil times))
    (insert "\n")
    (novablend-week-grid--insert-reasons days)))

(defun novablend-week-grid--gap-p (previous time)
  "Whether there is more than an hour between PREVIOUS, which may be nil, and TIME."
  (let ((minutes (lambda (text)
                   (+ (* 60 (string-to-number text)) (string-to-number (substring text 3))))))
    (and previous (> (- (funcall minutes time) (funcall minutes previous)) 60))))

(defun novablend-week-grid--insert-row (days time margin column)
  "Insert DAYS at TIME, after a MARGIN, each a COLUMN wide."
  (let* ((cells (mapcar (lambda (day) (novablend-week-grid--cell day time column)) days))
         (height (apply #'max (mapcar #'length cells))))
    (dotimes (line height)
      (insert (string-pad (propertize (if (zerop line) time "") 'face 'novablend-unavailable)
                          margin))
      (dolist (cell cells)
        (insert (or (nth line cell) (make-string column ?\s))))
      (insert "\n"))))

(defun novablend-week-grid--cell (day time column)
  "The lines of DAY at TIME, each a COLUMN wide.
Each appointment that begins has a line.  The last line says whether the time is
free, after a bar for each appointment that takes place."
  (let* ((items (plist-get day :items))
         (is-now (lambda (item) (equal (plist-get item :time) time)))
         (begins (seq-filter (lambda (item)
                               (and (plist-get item :appointment) (funcall is-now item)))
                             items))
         (free (seq-find (lambda (item)
                           (and (not (plist-get item :appointment)) (funcall is-now item)))
                         items))
         (bars (seq-filter (lambda (item) (novablend-week-items-takes-p item time)) items)))
    (append (mapcar (lambda (item) (novablend-week-grid--block item column)) begins)
            (when (or free (seq-difference bars begins))
              (list (novablend-week-grid--last-line bars free column))))))

(defun novablend-week-grid--block (item column)
  "ITEM, an appointment, as a block that is a COLUMN wide."
  (concat (novablend-week-items-text
           item (string-pad (novablend-week-items-fit (novablend-week-items-label item)
                                                        (1- column))
                            (1- column)))
          " "))

(defun novablend-week-grid--last-line (bars free column)
  "A bar for each of BARS, and then the label of FREE, a COLUMN wide."
  (let* ((text (concat (mapconcat #'novablend-week-grid--bar bars "")
                       (when free
                         (novablend-week-items-text
                          free (novablend-week-items-fit (novablend-week-items-label free)
                                                           (- column 1 (length bars))))))))
    (concat text (make-string (max 0 (- column (string-width text))) ?\s))))

(defun novablend-week-grid--bar (item)
  "A bar for ITEM, an appointment."
  (propertize "▌" 'help-echo (novablend-week-items-help item)
              'face (if (eq (plist-get item :kind) 'own) 'novablend-own 'novablend-unavailable)))

(defun novablend-week-grid--title (day today column)
  "The heading of DAY, a COLUMN wide; it may be TODAY."
  (let ((title (novablend-week-items-short-date (plist-get day :day))))
    (concat (propertize title 'face (if (equal (plist-get (plist-get day :day) :date) today)
                                        'novablend-today
                                      'novablend-heading))
            (make-string (max 1 (- column (length title))) ?\s))))

(defun novablend-week-grid--insert-reasons (days)
  "Insert why there is no free time on some of DAYS."
  (let ((reasons (seq-filter (lambda (day) (plist-get (plist-get day :day) :reason)) days)))
    (dolist (day reasons)
      (insert (propertize (format "%s: %s" (novablend-week-items-short-date (plist-get day :day))
                                  (novablend-line (plist-get (plist-get day :day) :reason)))
                          'face 'novablend-unavailable)
              "\n"))))

(provide 'novablend-week-grid)
;;; novablend-week-grid.el ends here
