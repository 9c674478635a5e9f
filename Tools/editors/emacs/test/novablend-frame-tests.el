;;; novablend-frame-tests.el --- Tests of what is on the screen  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; These tests need a frame, in a terminal or in X.  They check the pixels, which in a terminal are
;; columns, at which text appears.

;;; Code:

(require 'novablend-test-helper)

;; A frame in X has 80 columns; a small font makes all columns visible.
(when (display-graphic-p)
  (setq frame-inhibit-implied-resize t)
  (set-face-attribute 'default nil :height 60))

(defconst novablend-frame--id "90000000-0000-4000-8000-000000000000")

(defconst novablend-frame--names
  '((latin "Lola" "Corte" "Lola 2" "Gran Vía 1")
    (hebrew "דנה" "תספורת ארוכה 30" "מספרת שלום" "רחוב 5, חיפה")
    (japanese "山田太郎" "カットとカラーとパーマ" "ヘアサロン太郎" "東京都渋谷区"))
  "Names of a staff member, a service, a salon, and a place.")

(defun novablend-frame--x (position)
  "The pixel at which the character at POSITION appears."
  (goto-char position)
  (let ((place (posn-at-point)))
    (or (car (posn-x-y place)) (error "Position %s is not visible" position))))

(defun novablend-frame--line (pattern)
  "Move to the line that matches PATTERN, and return where it begins."
  (goto-char (point-min))
  (re-search-forward pattern)
  (line-beginning-position))

(defun novablend-frame--cells (pattern)
  "The least and the greatest pixel of each cell in the line that matches PATTERN.
The first cell is the time.  Stretches of space separate the cells."
  (goto-char (novablend-frame--line pattern))
  (let ((end (line-end-position))
        (position (point))
        (cells nil))
    (while (< position end)
      (let ((next (next-single-property-change position 'display nil end)))
        (unless (get-text-property position 'display)
          (let ((xs (mapcar #'novablend-frame--x (number-sequence position (1- next)))))
            (push (cons (apply #'min xs) (apply #'max xs)) cells)))
        (setq position next)))
    (nreverse cells)))

(defmacro novablend-frame--with-week (script &rest body)
  "Run BODY in a week of a salon with names in SCRIPT; two of them are booked."
  (declare (indent 1) (debug t))
  `(novablend-test-with-world
     (pcase-let ((`(,staff ,service ,name ,place) (alist-get ,script novablend-frame--names)))
       (novablend-test-import
        (list :name name :location place :slot_minutes 30
              :services (vector (list :id "cut" :name service :minutes 30))
              :staff (vector (list :id "one" :name staff) '(:id "two" :name "Eva"))))
       (dolist (day '(0 1))
         (novablend-test-run "book" novablend-frame--id
                             (concat (novablend-week--day-after (novablend-test-monday) day)
                                     "T09:00+00:00")
                             "--phone" "+34 600 333 444" "--service" "cut" "--with" "one"))
       (delete-other-windows)
       (novablend-week (list :id novablend-frame--id :name name :location place)
                       (novablend-test-monday))
       (novablend-test-wait-until-shown (current-buffer) (regexp-quote (substring service 0 3)))
       (redisplay t)
       ,@body)))

(ert-deftest novablend-frame-cells-of-a-week-are-below-their-titles ()
  (dolist (script '(latin hebrew japanese))
    (dolist (scale (if (display-graphic-p) '(0 2) '(0)))
      (novablend-frame--with-week script
        (setq-local novablend-week-layout 'grid)
        (text-scale-set scale)
        (redisplay t)
        ;; At 09:00, two appointments begin; at 09:30, all times are free.
        (let ((booked (novablend-frame--cells "^09:00"))
              (free (novablend-frame--cells "^09:30")))
          (should (= (length booked) (length free) 8))
          (should (equal (list script (mapcar #'car booked)) (list script (mapcar #'car free))))
          (should (< (cdr (nth 1 booked)) (car (nth 2 booked))))
          (should (< (cdr (nth 2 booked)) (car (nth 3 free)))))))))

(ert-deftest novablend-frame-cells-of-a-day-are-below-their-titles ()
  (dolist (script '(latin hebrew japanese))
    (novablend-frame--with-week script
      (call-interactively #'novablend-week-toggle-day)
      (redisplay t)
      (let ((booked (novablend-frame--cells "^09:00"))
            (free (novablend-frame--cells "^09:30")))
        (should (= (length booked) (length free) 3))
        (should (equal (list script (mapcar #'car booked)) (list script (mapcar #'car free))))))))

(ert-deftest novablend-frame-headings-begin-at-the-left ()
  (dolist (script '(latin hebrew japanese))
    (novablend-frame--with-week script
      (pcase-let ((`(,_ ,_ ,name ,place) (alist-get script novablend-frame--names)))
        (let ((start (novablend-frame--line (regexp-quote name))))
          (search-forward place)
          (let ((xs (lambda (from to) (mapcar #'novablend-frame--x (number-sequence from (1- to)))))
                (place-start (- (point) (length place))))
            (should (< (apply #'max (funcall xs start (+ start (length name))))
                       (apply #'min (funcall xs place-start (+ place-start (length place)))))))))
      ;; A line without such names begins at the left margin.
      (should (= 0 (novablend-frame--x (novablend-frame--line "^20[0-9]+-[0-9]+-[0-9]+ to ")))))))

(ert-deftest novablend-frame-columns-of-appointments-are-aligned ()
  (dolist (script '(latin hebrew japanese))
    (novablend-frame--with-week script
      (novablend-test-run "book" "Sol" (concat (novablend-test-monday) "T12:00") "--phone"
                          "+34 600 333 445" "--service" "cut" "--with" "ana")
      (novablend-appointments)
      (novablend-test-wait-until-shown (current-buffer) "\\+34 600 333 445")
      (redisplay t)
      (should (= 3 (count-matches "\\+34 600 333" (point-min) (point-max))))
      (let ((xs nil))
        (goto-char (point-min))
        (while (re-search-forward "\\+34 600 333" nil t)
          (push (save-excursion (novablend-frame--x (match-beginning 0))) xs))
        (should (equal (list script 1) (list script (length (seq-uniq xs)))))))))

(provide 'novablend-frame-tests)
;;; novablend-frame-tests.el ends here
