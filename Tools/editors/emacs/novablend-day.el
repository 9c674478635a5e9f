;;; novablend-day.el --- A day with a column for each staff member  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A day is made from the data of its week.  It has a column for each staff member, or for
;; each seat if the salon has no staff.

;;; Code:

(require 'cl-lib)
(require 'novablend-text)
(require 'novablend-week-items)
(require 'seq)
(require 'subr-x)

(defun novablend-day-columns (column salon member)
  "COLUMN, a day at SALON, as columns for its staff or its seats.
If MEMBER is an id, only that staff member has a column."
  (let ((staff (seq-filter (lambda (each)
                             (or (null member) (equal (plist-get each :id) member)))
                           (plist-get salon :staff))))
    (if (seq-empty-p (plist-get salon :staff))
        (novablend-day--seats column (or (plist-get salon :seats) 1))
      (novablend-day--staff column staff))))

(defun novablend-day--column (day title items)
  "A column with TITLE and ITEMS of DAY, a column of a week."
  (list :date (plist-get day :date) :title title :heading title :items items))

(defun novablend-day--booked (item)
  "ITEM, an appointment, as it is shown in a column of its own."
  (append (list :detail (or (plist-get (plist-get item :appointment) :phone) "")) item))

;;;; Staff

(defun novablend-day--staff (day staff)
  "DAY as a column for each of STAFF, and one for what belongs to nobody."
  (let ((columns (mapcar (lambda (member)
                           (novablend-day--column
                            day (novablend-line (or (plist-get member :name)
                                                    (plist-get member :id)))
                            (delq nil (mapcar (apply-partially #'novablend-day--of-member
                                                               (plist-get member :id))
                                              (plist-get day :items)))))
                         staff))
        (rest (seq-filter (lambda (item)
                            (novablend-day--of-nobody-p
                             item (mapcar (lambda (member) (plist-get member :id)) staff)))
                          (plist-get day :items))))
    (if rest
        (append columns (list (novablend-day--column day "Anyone" rest)))
      columns)))

(defun novablend-day--of-member (id item)
  "ITEM as it is shown for the staff member with ID, or nil."
  (let ((appointment (plist-get item :appointment)))
    (cond (appointment
           (when (equal (plist-get appointment :staffId) id) (novablend-day--booked item)))
          ((seq-contains-p (plist-get item :staff) id)
           (append (list :member id :free 1) item)))))

(defun novablend-day--of-nobody-p (item ids)
  "Whether ITEM belongs to none of the staff members with IDS."
  (let ((appointment (plist-get item :appointment)))
    (if appointment
        (not (member (plist-get appointment :staffId) ids))
      ;; The server may not say who is free.
      (and (memq (plist-get item :kind) '(free unconfirmed))
           (seq-empty-p (plist-get item :staff))))))

;;;; Seats

(defun novablend-day--seats (day count)
  "DAY as a column for each of COUNT seats.
An appointment is shown at the first seats that are free then, and free times at
those that remain."
  (let ((seats (make-list count nil)))
    (dolist (item (seq-filter (lambda (each) (plist-get each :appointment)) (plist-get day :items)))
      (setq seats (novablend-day--seat item seats)))
    (dolist (item (seq-remove (lambda (each) (plist-get each :appointment)) (plist-get day :items)))
      (setq seats (novablend-day--offer item seats)))
    (seq-map-indexed
     (lambda (items index)
       (novablend-day--column day (format "Seat %d" (1+ index))
                              (seq-sort-by #'novablend-week-items-row #'string< items)))
     seats)))

(defun novablend-day--occupied-p (seat item)
  "Whether SEAT, a list of items, has an appointment at the time of ITEM."
  (let* ((start (plist-get item :start))
         (end (or (plist-get item :end) (1+ start))))
    (seq-some (lambda (each)
                (and (plist-get each :appointment)
                     (< start (or (plist-get each :end) (1+ (plist-get each :start))))
                     (< (plist-get each :start) end)))
              seat)))

(defun novablend-day--seat (item seats)
  "SEATS, each a list of items, with ITEM, an appointment, at free ones.
There are more seats afterward if it needs more than are free."
  (let ((needed (or (plist-get (plist-get item :appointment) :seats) 1))
        (shown (novablend-day--booked item)))
    (append (mapcar (lambda (seat)
                      (if (or (zerop needed) (novablend-day--occupied-p seat item)) seat
                        (cl-decf needed)
                        (cons shown seat)))
                    seats)
            (mapcar #'list (make-list needed shown)))))

(defun novablend-day--offer (item seats)
  "SEATS, each a list of items, with ITEM, a time, at unoccupied ones."
  (let ((free (if (eq (plist-get item :kind) 'free) (or (plist-get item :free) 1)
                most-positive-fixnum))
        (offer (append '(:free 1) item)))
    (mapcar (lambda (seat)
              (cond ((novablend-day--occupied-p seat item) seat)
                    ((> (cl-decf free) -1) (cons offer seat))
                    ;; The appointments of others may not be listed.
                    (t (cons (append '(:kind taken) item) seat))))
            seats)))

(provide 'novablend-day)
;;; novablend-day.el ends here
