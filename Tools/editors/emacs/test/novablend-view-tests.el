;;; novablend-view-tests.el --- Tests of what buffers show  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Buffers and their names, the place of point, the columns of a day, prompts, exports, and
;; the keys in evil.

;;; Code:

(require 'novablend-test-helper)

;; Debian installs packages here; `emacs -Q' does not load them.
(let ((elpa "/usr/share/emacs/site-lisp/elpa"))
  (dolist (path (and (file-directory-p elpa) (directory-files elpa t "\\`[a-z]")))
    (add-to-list 'load-path path)))

(declare-function evil-mode "ext:evil-core")
(declare-function evil-change-state "ext:evil-core")

;;;; Buffers

(defun novablend-test--salons ()
  "Show the salons, and move to the first one."
  (novablend-salons)
  (novablend-test-wait-until-shown "*NovaBlend salons*" "Night Owl")
  (set-buffer "*NovaBlend salons*")
  (goto-char (point-min)))

(defun novablend-test--goto-line (text)
  "Move to the line with TEXT, a regular expression."
  (goto-char (point-min))
  (re-search-forward text)
  (beginning-of-line))

(ert-deftest novablend-branches-of-one-name-have-their-own-weeks ()
  (novablend-test-with-world
    (novablend-test-import '(:name "Corte" :location "Gran Vía 1" :staff [(:id "eva" :name "Eva")])
                           '(:name "Corte" :location "Atocha 2" :staff [(:id "ivo" :name "Ivo")])
                           '(:name "Corte" :location "Atocha 2" :seats 4))
    (novablend-test--salons)
    (let ((weeks nil))
      (dolist (row '("Corte .*Gran" "Corte .*Atocha"))
        (with-current-buffer "*NovaBlend salons*"
          (novablend-test--goto-line row)
          (call-interactively #'novablend-salons-week)
          (push (current-buffer) weeks)))
      (pcase-let ((`(,second ,first) weeks))
        (should (equal (buffer-name first) "*NovaBlend week: Corte, Gran Vía 1*"))
        (should (equal (buffer-name second) "*NovaBlend week: Corte, Atocha 2*"))
        (novablend-test-wait-until-shown first "\\`Corte, Gran Vía 1\n\\(?:.\\|\n\\)*Staff (s): Eva")
        (novablend-test-wait-until-shown second "\\`Corte, Atocha 2\n\\(?:.\\|\n\\)*Staff (s): Ivo")
        ;; The first week is still the one of the first salon.
        (with-current-buffer "*NovaBlend salons*"
          (novablend-test--goto-line "Corte .*Gran")
          (call-interactively #'novablend-salons-week)
          (should (eq (current-buffer) first)))))
    ;; Even the place may be the same.
    (novablend-week '(:id "90000000-0000-4000-8000-000000000002" :name "Corte"))
    (novablend-test-wait-until-shown (current-buffer) "Corte, Atocha 2\n\\(?:.\\|\n\\)*free")
    (should (equal (buffer-name) "*NovaBlend week: Corte, Atocha 2*<2>"))
    (let* ((novablend-test--answers (list "Corte, Gran Vía 1\\'" "Eva" "")))
      (should-error (call-interactively #'novablend-book))
      (should-not (seq-remove (lambda (prompt) (or (string-prefix-p "Salon" prompt)
                                                   (string-match-p "at Corte, Gran Vía 1" prompt)))
                              (mapcar #'car novablend-test--prompts))))))

(ert-deftest novablend-appointments-and-questions-name-the-place ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (novablend-test-book-in-week "10:00")
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C"))
    (novablend-appointments)
    (novablend-test-wait-until-shown (current-buffer) "Peluquería Sol +Calle de Hortalez… ")
    (goto-char (point-min))
    (setq novablend-test--prompts nil
          novablend-test--answers '(no))
    (call-interactively #'novablend-appointments-cancel)
    (should (string-match-p (concat "\\`Cancel Color with Carmen at Peluquería Sol, "
                                    "Calle de Hortaleza 40, Madrid, [-0-9]+ 10:00\\? \\'")
                            (caar novablend-test--prompts)))
    (call-interactively #'novablend-appointments-week)
    (novablend-test-wait (lambda () (and (not novablend-view--loading)
                                         (get-text-property (point) 'novablend-item))))
    (should (equal (plist-get (get-text-property (point) 'novablend-item) :kind) 'own))))

;;;; Point

(ert-deftest novablend-week-starts-on-the-first-free-time-and-stays-at-a-time ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (let ((at-point (lambda ()
                        (let ((item (get-text-property (point) 'novablend-item)))
                          (list (plist-get item :kind) (plist-get item :date)
                                (plist-get item :time)))))
            (monday (novablend-test-monday)))
        (should (equal (funcall at-point) (list 'free monday "10:00")))
        (novablend-test-goto 'free "17:00")
        (novablend-test-run "book" "Sol" (concat monday "T12:00") "--phone" "+34 600 333 444"
                            "--service" "cut" "--with" "ana")
        (novablend-test-wait-until-shown (current-buffer) "12:00 +Cut Ana")
        (should (equal (funcall at-point) (list 'free monday "17:00")))
        (call-interactively #'novablend-week-forward)
        (novablend-test-wait-until-shown (current-buffer)
                                         (concat "^" (novablend-week--day-after monday 7) " to"))
        (should (equal (funcall at-point)
                       (list 'free (novablend-week--day-after monday 7) "10:00")))))))

;;;; The day

(defun novablend-test--cells (time)
  "The titles of the columns of this grid, and the words in its row at TIME."
  (novablend-test--goto-line (concat "^" time))
  (let ((cells (lambda (text) (split-string (substring-no-properties text) "  +" t " +"))))
    (cons (funcall cells header-line-format)
          (funcall cells (buffer-substring (+ 6 (point)) (line-end-position))))))

(ert-deftest novablend-day-has-a-column-for-each-staff-member ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (let ((tuesday (novablend-week--day-after (novablend-test-monday) 1)))
        (novablend-test-run "book" "Sol" (concat tuesday "T17:00") "--phone" "+34 600 333 444"
                            "--service" "cut" "--with" "bruno")
        (novablend-test-wait-until-shown (current-buffer) "17:00 .*Cut Bruno")
        (novablend-test-goto 'booked "17:00")
        (call-interactively #'novablend-week-toggle-day)
        (should (string-match-p (concat "^Tuesday " tuesday " · 10:00-14:00, 16:30-20:00")
                                (buffer-string)))
        (should (equal (plist-get (get-text-property (point) 'novablend-item) :kind) 'booked))
        (should (equal (novablend-test--cells "10:00") '(("Ana" "Bruno" "Carmen") "free" "free")))
        (should (equal (novablend-test--cells "16:30")
                       '(("Ana" "Bruno" "Carmen") "free" "free" "free")))
        (should (string-match-p "^17:00 free +Cut \\+34 600 33.* free *$" (buffer-string)))
        ;; RET books with the staff member of the column.
        (novablend-test--goto-line "^10:30")
        (setq novablend-test--answers '("Color" "+34 600 111 222"))
        (search-forward "free" nil nil 2)
        (backward-char)
        (call-interactively #'novablend-week-act)
        (novablend-test-wait-for "Booked: Color with Carmen")
        (novablend-test-wait-until-shown (current-buffer) "^10:30 free +Color \\+34")
        (should (string-match-p "^11:00 free + ▌" (buffer-string)))
        ;; A move to another column moves to another staff member.
        (novablend-test-goto 'own "10:30")
        (call-interactively #'novablend-week-move)
        (novablend-test-wait-until-shown (current-buffer) "moving Color")
        (novablend-test--goto-line "^12:00")
        (search-forward "free")
        (backward-char)
        (let ((member (plist-get (get-text-property (point) 'novablend-item) :member)))
          (should (equal member "ana")))
        (call-interactively #'novablend-week-act)
        (novablend-test-wait-for "Moved: Color with Carmen .* 10:30 to .* 12:00 with Ana\\'")
        (novablend-test-wait-until-shown (current-buffer) "^12:00 Color \\+34 600 1")
        (call-interactively #'novablend-week-toggle-day)
        (novablend-test-wait-until-shown (current-buffer)
                                         (concat "^" (novablend-test-monday) " to "))))))

(ert-deftest novablend-day-goes-on-to-days-that-are-not-loaded ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (call-interactively #'novablend-week-toggle-day)
      (dotimes (_ 7) (call-interactively #'novablend-week-forward))
      (let ((next (novablend-week--day-after (novablend-test-monday) 7)))
        (novablend-test-wait-until-shown (current-buffer) (concat "^Monday " next))
        (should (equal (plist-get (get-text-property (point) 'novablend-item) :date) next))
        (call-interactively #'novablend-week-backward)
        (novablend-test-wait-until-shown
         (current-buffer) (concat "^Sunday " (novablend-week--day-after next -1) " · the salon is closed"))))))

(ert-deftest novablend-day-without-staff-has-a-column-for-each-seat ()
  (novablend-test-with-world
    (novablend-test-import '(:name "Stühle" :location "Mitte" :seats 3 :slot_minutes 30))
    (novablend-test--salons)
    (dolist (time '("10:00" "10:30" "11:00"))
      (novablend-test-run "book" "Stühle" (concat (novablend-test-monday) "T" time "+00:00")
                          "--phone" (concat "+49 30 555010" (substring time 3))
                          "--seats" (if (equal time "11:00") "2" "1")))
    (novablend-week '(:id "90000000-0000-4000-8000-000000000000" :name "Stühle")
                    (novablend-test-monday))
    (novablend-test-wait-until-shown (current-buffer) "11:00")
    (call-interactively #'novablend-week-toggle-day)
    (should (equal (novablend-test--cells "09:00")
                   '(("Seat 1" "Seat 2" "Seat 3") "free" "free" "free")))
    (should (string-match-p "^11:00 +\\+49 \\S-+ .* +\\+49 .* free *$" (buffer-string)))))

(ert-deftest novablend-day-in-a-narrow-window-has-a-paragraph-for-each-staff-member ()
  (novablend-test-with-world
    (let ((novablend-week-layout 'agenda))
      (with-current-buffer (novablend-test-week)
        (call-interactively #'novablend-week-toggle-day)
        (should (string-match-p "^Ana *\n  10:00  10:30" (buffer-string)))
        (should (string-match-p "^Bruno *\n\n" (buffer-string)))
        (should (string-match-p "^Carmen *\n  10:00  10:30" (buffer-string)))))))

(ert-deftest novablend-time-past-midnight-belongs-to-the-day-before ()
  (novablend-test-with-world
    (let* ((monday (novablend-test-monday))
           (tuesday (novablend-week--day-after monday 1))
           (name "Night Owl Barbers"))
      (novablend-test-run "book" name (concat tuesday "T00:30") "--phone" "+34 600 333 444")
      (novablend-week (novablend-test-salon name) monday)
      (novablend-test-wait-until-shown (current-buffer) "booked")
      (goto-char (point-min))
      (re-search-forward "^00:30 \\+1 .*booked")
      (search-backward "booked")
      (should (equal (get-text-property (point) 'novablend-date) monday))
      (should (equal (plist-get (get-text-property (point) 'novablend-item) :date) tuesday))
      (should (string-match-p (concat tuesday " 00:30-01:00, appointment") (help-at-pt-string)))
      (call-interactively #'novablend-week-toggle-day)
      (should (string-match-p (concat "^Monday " monday) (buffer-string)))
      (should (string-match-p "^00:30 \\+1 \\+34 600" (buffer-string))))))

;;;; Prompts

(ert-deftest novablend-salon-is-found-by-words-of-its-name-and-place ()
  (novablend-test-with-world
    (dolist (text '("Peluqueria" "hortaleza" "Madrid" "madrid sol" "PELUQUERÍA"))
      (should (equal (novablend-test--type text #'novablend-read-salon :name)
                     novablend-test--sol)))
    ;; The program knows that ø is an o.
    (should (equal (novablend-test--type "Kobenhavn" #'novablend-read-salon :name) "Æther & Øl"))))

(defun novablend-test--type (text read member)
  "Call READ and complete TEXT at its prompt; return MEMBER of the value."
  (let* ((completing-read-function
          (lambda (_prompt table &rest _)
            (let ((metadata (completion-metadata text table nil)))
              (car (novablend-test-wait
                    (lambda ()
                      (let ((found (completion-all-completions text table nil (length text)
                                                               metadata)))
                        (should (< (safe-length found) 2))
                        (car (completion-try-completion text table nil (length text)
                                                        metadata))
                        (and (consp found)
                             (completion-try-completion text table nil (length text)
                                                        metadata))))))))))
    (plist-get (funcall read) member)))

(ert-deftest novablend-service-may-be-left-open ()
  (novablend-test-with-world
    (setq novablend-test--answers '("Sol" "no particular" "Ana" "Tue .* 11:00" "+34 600 111 222"))
    (call-interactively #'novablend-book)
    (novablend-test-wait-for "Booked: Appointment with Ana at Peluquería Sol")
    (let ((stored (novablend-test-stored)))
      (should (= (length stored) 1))
      (should-not (plist-get (car stored) :serviceId)))))

;;;; Exports

(ert-deftest novablend-export-to-a-missing-directory-is-an-error ()
  (novablend-test-with-world
    (let ((file (concat novablend-test--root "missing/appointments")))
      (dolist (export '(novablend-export-org novablend-export-calendar))
        (should (string-match-p "There is no directory .*/missing/"
                                (cadr (should-error (funcall export file) :type 'user-error))))
        (should-error (funcall export novablend-test--root) :type 'user-error)))
    ;; The directory may disappear while the list is loaded.
    (let ((directory (concat novablend-test--root "short/")))
      (make-directory directory)
      (novablend-export-org (concat directory "appointments.org"))
      (delete-directory directory)
      (novablend-test-wait-for "NovaBlend: Opening output file: No such file or directory"))))

;;;; Keys in evil

(ert-deftest novablend-keys-work-in-evil ()
  (skip-unless (require 'evil nil t))
  (novablend-test-with-world
    (unwind-protect
        (progn
          (evil-mode 1)
          (novablend-test--salons)
          (novablend-test--check-keys novablend-salons-mode-map)
          (novablend-appointments)
          (novablend-test--check-keys novablend-appointments-mode-map)
          (with-current-buffer (novablend-test-week)
            (novablend-test--check-keys novablend-week-mode-map)
            (evil-change-state 'normal)
            (should (eq (key-binding "J") #'novablend-week-goto))
            (should (eq (key-binding "j") 'evil-next-line))
            (switch-to-buffer (current-buffer))
            (execute-kbd-macro "d")
            (should (string-match-p "^Monday " (buffer-string)))
            (execute-kbd-macro "d")
            (should-error (execute-kbd-macro "c") :type 'user-error)))
      (evil-mode -1))))

(defun novablend-test--check-keys (map)
  "Check that the keys of MAP are those of this buffer in all states of evil."
  (dolist (state '(normal visual motion insert))
    (evil-change-state state)
    (map-keymap-internal
     (lambda (event command)
       (when (and (commandp command) (not (memq event '(?j mouse-2))))
         (should (equal (list state event (key-binding (vector event)))
                        (list state event command)))))
     map)
    (should (eq (key-binding "q") 'quit-window))
    (unless (eq state 'insert)
      (should (eq (key-binding "gr") 'revert-buffer))
      (should (eq (key-binding "gg") 'evil-goto-first-line))
      (should (equal (novablend-key #'revert-buffer) "g r")))))

(provide 'novablend-view-tests)
;;; novablend-view-tests.el ends here
