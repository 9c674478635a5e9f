;;; novablend-week-layout.el --- The layout of a week and of a day  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Columns are laid out as a grid, or, in a narrow window, as an agenda with a paragraph
;; for each.

;;; Code:

(require 'cl-lib)
(require 'novablend-options)
(require 'novablend-text)
(require 'novablend-week-items)
(require 'seq)
(require 'subr-x)

(defconst novablend-week-layout--narrow 9
  "The minimum width of a column in an automatic grid.")

(cl-defun novablend-week-layout-insert (columns width &key salon heading keys)
  "Insert COLUMNS of SALON into this buffer, for a window with WIDTH columns.
HEADING and KEYS are texts above and below them."
  (novablend-week-layout--insert-heading salon heading width)
  (setq header-line-format nil)
  (if (if (eq novablend-week-layout 'automatic)
          (>= width (+ 11 (* novablend-week-layout--narrow (length columns))))
        (eq novablend-week-layout 'grid))
      (novablend-week-layout--insert-grid columns width)
    (novablend-week-layout--insert-agenda columns width))
  (novablend-week-layout--insert-offers salon width)
  (novablend-week-layout--insert-line keys width 'novablend-unavailable))

(defun novablend-week-layout--insert-line (text width face)
  "Insert TEXT with FACE as a line within WIDTH."
  (insert (propertize (novablend-fit text (1- width)) 'face face) "\n"))

(defun novablend-week-layout--insert-heading (salon heading width)
  "Insert the name and the place of SALON, and HEADING, within WIDTH."
  (novablend-week-layout--insert-line (novablend-salon-title salon) width 'novablend-heading)
  (novablend-week-layout--insert-line heading width 'default)
  (insert "\n"))

(defun novablend-week-layout--insert-offers (salon width)
  "Insert the services and the staff of SALON within WIDTH, with the keys for them."
  (pcase-dolist (`(,title ,key ,command) '(("Services" :services novablend-week-choose-service)
                                           ("Staff" :staff novablend-week-choose-staff)))
    (when-let* ((names (mapcar (lambda (each) (plist-get each :name)) (plist-get salon key))))
      (novablend-week-layout--insert-line
       (format "%s (%s): %s" title (novablend-key command) (apply #'novablend-words names))
       width 'novablend-unavailable))))

;;;; The grid

(defun novablend-week-layout--insert-grid (columns width)
  "Insert COLUMNS next to each other in a window with WIDTH columns.
Each time has a row, and in it a line for each appointment that begins."
  (let* ((rows (seq-sort #'string< (seq-uniq (seq-mapcat (lambda (column)
                                                           (mapcar #'novablend-week-items-row
                                                                   (plist-get column :items)))
                                                         columns))))
         (margin (1+ (apply #'max 5 (mapcar (lambda (row)
                                              (length (novablend-week-layout--row-title row)))
                                            rows))))
         (size (max novablend-week-layout--narrow
                    (min 26 (/ (- width margin 1) (max 1 (length columns)))))))
    (setq header-line-format (novablend-week-layout--header columns margin size))
    (seq-mapn
     (lambda (row previous)
       (when (and previous (> (- (string-to-number row) (string-to-number previous)) 60))
         (insert "\n"))
       (novablend-week-layout--insert-row columns row margin size))
     rows (cons nil rows))
    (insert "\n")
    (novablend-week-layout--insert-reasons columns width)))

(defun novablend-week-layout--row-title (row)
  "The title of ROW: a time of day, with a mark if it belongs to the next date."
  (let ((days (/ (string-to-number row) 1440)))
    (concat (substring row 6) (if (> days 0) (format " +%d" days) ""))))

(defun novablend-week-layout--header (columns margin size)
  "The header line for COLUMNS, each SIZE wide, after a MARGIN."
  (concat
   (propertize " " 'display `(space :align-to (,(* margin (novablend-text-column-pixels)))))
   (apply #'concat
          (seq-map-indexed
           (lambda (column index)
             (novablend-pad (propertize (novablend-line (plist-get column :title))
                                        'face (if (plist-get column :is-today) 'novablend-today
                                                'novablend-heading))
                            (+ margin (* index size)) size))
           columns))))

(defun novablend-week-layout--insert-row (columns row margin size)
  "Insert COLUMNS at ROW, each SIZE wide, after a MARGIN."
  (let* ((starts (number-sequence margin (+ margin (* size (1- (length columns)))) size))
         (cells (seq-mapn (lambda (column start)
                            (novablend-week-layout--cell column row start size))
                          columns starts)))
    (dotimes (line (apply #'max (mapcar #'length cells)))
      (insert (novablend-pad (propertize (if (zerop line) (novablend-week-layout--row-title row) "")
                                         'face 'novablend-unavailable)
                             0 margin))
      (seq-mapn
       (lambda (column cell start)
         (insert (propertize (or (nth line cell) (novablend-pad "" start size))
                             'novablend-date (plist-get column :date))))
       columns cells starts)
      (insert "\n"))))

(defun novablend-week-layout--cell (column row left size)
  "The lines of COLUMN, from column LEFT on and SIZE wide, at ROW.
Each appointment that begins has a line.  The last line says whether the time is
free, after a bar for each appointment that takes place."
  (let* ((items (plist-get column :items))
         (here (seq-filter (lambda (item) (equal (novablend-week-items-row item) row)) items))
         (begins (seq-filter (lambda (item) (plist-get item :appointment)) here))
         (free (seq-find (lambda (item) (not (plist-get item :appointment))) here))
         (start (string-to-number row))
         (bars (seq-filter (lambda (item) (novablend-week-items-takes-p item start)) items)))
    (append (mapcar (lambda (item) (novablend-week-layout--block item left size)) begins)
            (when (or free (seq-difference bars begins))
              (list (novablend-pad
                     (concat (mapconcat #'novablend-week-layout--bar bars "")
                             (when free
                               (novablend-week-items-text free (novablend-week-items-label free))))
                     left size))))))

(defun novablend-week-layout--block (item left size)
  "ITEM, an appointment, as a block from column LEFT on; its column is SIZE wide."
  (concat (novablend-week-items-text
           item (novablend-pad (novablend-week-items-label item) left (1- size) 0))
          (novablend-stretch 1 (+ left size))))

(defun novablend-week-layout--bar (item)
  "A bar for ITEM, an appointment."
  (propertize "▌" 'help-echo (novablend-week-items-help item)
              'face (if (eq (plist-get item :kind) 'own) 'novablend-own 'novablend-unavailable)))

(defun novablend-week-layout--insert-reasons (columns width)
  "Insert why there is no free time in some of COLUMNS, within WIDTH."
  (dolist (column columns)
    (when-let* ((reason (plist-get column :reason)))
      (novablend-week-layout--insert-line
       (format "%s: %s" (novablend-isolate (plist-get column :title)) (novablend-isolate reason))
       width 'novablend-unavailable))))

;;;; The agenda

(defun novablend-week-layout--insert-agenda (columns width)
  "Insert COLUMNS as paragraphs within WIDTH."
  (dolist (column columns)
    (let* ((items (plist-get column :items))
           (booked (seq-filter (lambda (item) (plist-get item :appointment)) items))
           (start (point)))
      (insert (novablend-fit
               (concat (propertize (novablend-isolate (plist-get column :heading))
                                   'face (if (plist-get column :is-today) 'novablend-today
                                           'novablend-heading))
                       (propertize (concat "  " (plist-get column :hours))
                                   'face 'novablend-unavailable))
               (1- width))
              "\n")
      (dolist (item booked) (novablend-week-layout--insert-booked item width))
      (novablend-week-layout--insert-times (seq-difference items booked) width)
      (when-let* ((reason (plist-get column :reason)))
        (novablend-week-layout--insert-line (concat "  " (novablend-isolate reason)) width
                                            'novablend-unavailable))
      (insert "\n")
      (put-text-property start (point) 'novablend-date (plist-get column :date)))))

(defun novablend-week-layout--item-time (item)
  "The time of ITEM in an agenda, with a mark if it belongs to the next date."
  (novablend-week-layout--row-title (novablend-week-items-row item)))

(defun novablend-week-layout--insert-booked (item width)
  "Insert ITEM, an appointment, as a line within WIDTH."
  (let* ((appointment (plist-get item :appointment))
         (text (concat (novablend-week-layout--item-time item)
                       (if-let* ((end (novablend-appointment-end appointment)))
                           (concat "-" end) "")
                       "  "
                       (novablend-words (novablend-week-items-label item)
                                        (unless (plist-get item :detail)
                                          (plist-get appointment :phone))))))
    (insert "  " (novablend-week-items-text item (novablend-fit text (- width 3))) "\n")))

(defun novablend-week-layout--insert-times (items width)
  "Insert ITEMS, which are times, in lines within WIDTH."
  (let ((room 0))
    (dolist (item items)
      (let ((text (novablend-week-items-text
                   item (concat (novablend-week-layout--item-time item)
                                (if (eq (plist-get item :kind) 'unconfirmed) "?" "")))))
        (when (< (- room (length text) 2) 0)
          (unless (bolp) (insert "\n"))
          (setq room (- width 2)))
        (insert "  " text)
        (cl-decf room (+ 2 (length text)))))
    (unless (bolp) (insert "\n"))))

(provide 'novablend-week-layout)
;;; novablend-week-layout.el ends here
