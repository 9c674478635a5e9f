;;; novablend-tests.el --- Tests of what users do  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; These tests drive the real program and the real backend without a display.

;;; Code:

(require 'novablend-test-helper)
(require 'parse-time)

(ert-deftest novablend-salons-are-listed-without-waiting ()
  (novablend-test-with-world
    (novablend-salons)
    (with-current-buffer "*NovaBlend salons*"
      (should novablend-view--loading)
      (should (equal (buffer-string) ""))
      (novablend-test-wait-until-shown (current-buffer) "Night Owl Barbers \\(?:.\\|\n\\)* live")
      (should (string-match-p "Peluquería Sol +Calle de Hortaleza 40" (buffer-string))))))

(ert-deftest novablend-salons-of-a-chain-are-searched ()
  (novablend-test-with-world
    (apply #'novablend-test-import
           (mapcar (lambda (number) `(:name ,(format "Chain %03d" number) :location "Berlin"))
                   (number-sequence 1 300)))
    (novablend-salons)
    (novablend-test-wait-until-shown (current-buffer) "200 of 306 salons.  Type / to search")
    (should-not (string-match-p "Chain 299" (buffer-string)))
    (novablend-salons-search "299")
    (novablend-test-wait-until-shown (current-buffer) "\\` Chain 299 +Berlin.*\n live")
    (let ((table nil))
      (cl-letf ((completing-read-function (lambda (_ collection &rest _) (setq table collection)
                                            "none")))
        (should-error (novablend-read-salon) :type 'user-error))
      (novablend-test-wait (lambda () (= 200 (length (all-completions "" table)))))
      (novablend-test-wait (lambda () (= 1 (length (all-completions "Chain 299" table)))))
      ;; The numbers 290 to 299 were not in the first 200 salons.
      (novablend-test-wait (lambda () (= 13 (length (all-completions "Chain 29" table))))))))

(ert-deftest novablend-booking-asks-with-annotations ()
  (novablend-test-with-world
    (setq novablend-test--answers '("Sol" "Color" "Carmen" "Tue .* 11:00" "+34 600 111 222"))
    (call-interactively #'novablend-book)
    (novablend-test-wait-for "Booked: Color with Carmen at Peluquería Sol")
    (let ((prompts (reverse novablend-test--prompts)))
      (should (equal (mapcar #'car (seq-take prompts 4))
                     (let ((place "Peluquería Sol, Calle de Hortaleza 40, Madrid"))
                       (list "Salon: " (format "Service at %s: " place)
                             (format "Staff at %s (default anyone): " place)
                             (format "Time at %s: " place)))))
      (should (member "Peluquería Sol, Calle de Hortaleza 40, Madrid  Mon-Fri 10:00-14:00, 16:30-20:00; Sat 10:00-14:00"
                      (nth 0 prompts)))
      (should (member "Color  90 min, 52.00 EUR" (nth 1 prompts)))
      (should (member "anyone  the salon chooses" (nth 2 prompts)))
      (should-not (seq-some (apply-partially #'string-match-p "Bruno") (nth 2 prompts)))
      (should (seq-some (apply-partially #'string-match-p "Carmen  Mon-Fri 10:00-14:00")
                        (nth 2 prompts)))
      (should (seq-some (apply-partially #'string-match-p "11:00  Europe/Madrid") (nth 3 prompts)))
      (should (string-match-p "\\`Book Color with Carmen at .* for \\+34 600 111 222\\? \\'"
                              (car (nth 4 prompts)))))
    (let ((stored (novablend-test-stored)))
      (should (= (length stored) 1))
      (should (equal (plist-get (car stored) :staffId) "carmen")))))

(ert-deftest novablend-declined-booking-sends-nothing ()
  (novablend-test-with-world
    (setq novablend-test--answers '("Sol" "Cut" "anyone" "Tue .* 11:00" "+34 600 111 222" no))
    (call-interactively #'novablend-book)
    (should-not novablend-changes)
    (should-not (novablend-test-stored))))

(ert-deftest novablend-week-books-moves-and-cancels ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (novablend-test-book-in-week "10:00")
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C")
      (should (seq-some (lambda (prompt) (member "Carmen  free" (cdr prompt)))
                        novablend-test--prompts))
      (novablend-test-goto 'free "16:30")
      (should (string-match-p " 16:30, free: Ana, Carmen\\." (help-at-pt-string)))
      (novablend-test-goto 'own "10:00")
      (call-interactively #'novablend-week-move)
      (novablend-test-wait-until-shown (current-buffer) "moving Color with Carmen")
      (novablend-test-goto 'free "17:00")
      (call-interactively #'novablend-week-act)
      (novablend-test-wait-for "Moved: Color with Carmen at Peluquería Sol, .* 10:00 to .* 17:00")
      (novablend-test-wait-until-shown (current-buffer) "17:00 +Color C")
      (should-not (string-match-p "moving\\|10:00 +Color" (buffer-string)))
      (novablend-test-goto 'own "17:00")
      (call-interactively #'novablend-week-cancel)
      (novablend-test-wait-for "Cancelled: Color with Carmen")
      (novablend-test-wait (lambda () (not (string-match-p "Color C" (buffer-string)))))
      (should-not (novablend-test-stored)))))

(ert-deftest novablend-appointment-is-moved-onto-its-own-time ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (novablend-test-book-in-week "10:00")
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C")
      (novablend-test-goto 'own "10:00")
      (call-interactively #'novablend-week-move)
      (novablend-test-wait-until-shown (current-buffer) "moving Color\\(?:.\\|\n\\)*10:30 ▌free")
      (novablend-test-goto 'free "10:30")
      (should (string-match-p " 10:30, free: Carmen\\." (help-at-pt-string)))
      (call-interactively #'novablend-week-act)
      (novablend-test-wait-for "Moved: Color with Carmen at Peluquería Sol, .* 10:00 to .* 10:30")
      (novablend-test-wait-until-shown (current-buffer) "10:30 +Color C"))
    (novablend-appointments)
    (novablend-test-wait-until-shown (current-buffer) "10:30-12:00")
    (goto-char (point-min))
    (setq novablend-test--answers (list (concat (novablend-test-monday) " 11:00")))
    (call-interactively #'novablend-appointments-move)
    (novablend-test-wait-until-shown (current-buffer) "11:00-12:30")))

(ert-deftest novablend-times-before-and-after-the-clock-is-set-back-differ ()
  (let* ((slot (lambda (time) (list :appointmentTime (concat "2026-10-25T" time) :free 1)))
         (day (list :date "2026-10-25" :weekday "Sunday"
                    :slots (mapcar slot '("01:00:00+01:00" "01:30:00+01:00"
                                          "01:00:00+00:00" "02:00:00+00:00")))))
    (should (equal (mapcar #'car (novablend-read--times day "Europe/Dublin"))
                   '("Sun 2026-10-25 01:00" "Sun 2026-10-25 01:30"
                     "Sun 2026-10-25 01:00+00:00" "Sun 2026-10-25 02:00")))))

(ert-deftest novablend-week-is-an-agenda-in-a-narrow-window ()
  (novablend-test-with-world
    (let ((novablend-week-layout 'agenda))
      (with-current-buffer (novablend-test-week)
        (novablend-test-book-in-week "10:30")
        (novablend-test-wait-until-shown (current-buffer)
                                         "10:30-12:00  Color Carmen, \\+34 600 111 222")
        (cl-letf (((symbol-function 'novablend-view-width) (lambda () 60)))
          (novablend-week--show))
        (should (seq-every-p (lambda (line) (<= (string-width line) 60))
                             (split-string (buffer-string) "\n")))
        (should (string-match-p (concat "^Monday " (novablend-test-monday)) (buffer-string)))))))

(ert-deftest novablend-week-shows-one-service-and-staff-member ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (setq novablend-test--answers '("Color"))
      (call-interactively #'novablend-week-choose-service)
      (novablend-test-wait-until-shown (current-buffer) "Europe/Madrid · Color\n")
      (should-not (string-match-p "^13:00" (buffer-string)))
      (setq novablend-test--answers '("Carmen"))
      (call-interactively #'novablend-week-choose-staff)
      (novablend-test-wait-until-shown (current-buffer) "Color · Carmen\n")
      (novablend-test-wait-until-shown (current-buffer) "^10:00 free")
      ;; Go forward twice, before the first of these weeks has arrived.
      (call-interactively #'novablend-week-forward)
      (call-interactively #'novablend-week-forward)
      (novablend-test-wait-until-shown
       (current-buffer)
       (concat "^" (novablend-week--day-after (novablend-test-monday) 14) " to ")))))

(ert-deftest novablend-changes-of-others-appear-in-open-buffers ()
  (novablend-test-with-world
    (novablend-appointments)
    (novablend-test-wait-until-shown "*NovaBlend appointments*" "no appointments\\(?:.\\|\n\\)* live")
    (with-current-buffer (novablend-test-week)
      (novablend-test-wait-until-shown (current-buffer) " live")
      (novablend-test-run "book" "Sol" (concat (novablend-test-monday) "T12:00")
                          "--phone" "+34 600 333 444" "--service" "cut" "--with" "ana")
      (novablend-test-wait-until-shown (current-buffer) "12:00 +Cut Ana")
      (novablend-test-goto 'booked "12:00"))
    (novablend-test-wait-until-shown "*NovaBlend appointments*" "Cut +Ana +booked +\\+34 600 333")
    (mapc #'kill-buffer (novablend-view-buffers))
    (should-not novablend--subscribed)))

(ert-deftest novablend-taken-time-is-refused-with-alternatives ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (let ((time (concat (novablend-test-monday) "T12:00")))
        (novablend-test-goto 'free "12:00")
        (setq novablend-test--answers (list "Cut" "Ana" "+34 600 111 222"))
        (cl-letf (((symbol-function 'y-or-n-p)
                   (lambda (_)
                     (novablend-test-run "book" "Sol" time "--phone" "+34 600 333 444"
                                         "--service" "cut" "--with" "ana"))))
          (call-interactively #'novablend-week-book))
        (novablend-test-wait-for "The slot is taken.*Free: [-0-9]+T12:30, ")
        (should-not novablend-changes)
        (should (= (length (novablend-test-stored)) 1))))))

(ert-deftest novablend-appointments-are-moved-and-cancelled ()
  (novablend-test-with-world
    (setq novablend-test--answers '("Sol" "Cut" "anyone" "Tue .* 11:00" "+34 600 111 222"))
    (call-interactively #'novablend-book)
    (novablend-appointments)
    (novablend-test-wait-until-shown "*NovaBlend appointments*" "11:00-11:30 +Peluquería Sol +Calle de Hortalez… +Cut")
    (with-current-buffer "*NovaBlend appointments*"
      (goto-char (point-min))
      (setq novablend-test--answers '("Tue .* 12:00"))
      (call-interactively #'novablend-appointments-move)
      (novablend-test-wait-until-shown (current-buffer) "12:00-12:30")
      (goto-char (point-min))
      (call-interactively #'novablend-appointments-cancel)
      (novablend-test-wait-until-shown (current-buffer) "There are no appointments")
      (call-interactively #'novablend-appointments-toggle-status)
      (novablend-test-wait-until-shown (current-buffer) "12:00-12:30.* cancelled"))))

(ert-deftest novablend-appointments-are-exported ()
  (novablend-test-with-world
    (let* ((process-environment (cons "TZ=Asia/Tokyo" process-environment))
           (org (concat novablend-test--root "appointments.org"))
           (calendar (concat novablend-test--root "appointments.ics"))
           (monday (novablend-test-monday)))
      (set-time-zone-rule "Asia/Tokyo")
      (unwind-protect
          (progn
            (novablend-test-run "book" "Sol" (concat monday "T12:00") "--phone" "+34 600 333 444"
                                "--service" "cut" "--with" "ana" "--notes" "* first\n* second")
            (novablend-export-org org)
            (novablend-export-calendar calendar)
            (novablend-test-wait-for "wrote 1 appointments to .*\\.org")
            (novablend-test-wait-for "wrote 1 appointments to .*\\.ics")
            (with-temp-buffer
              (insert-file-contents org)
              (should (string-match-p "^\\* Cut with Ana at Peluquería Sol\n" (buffer-string)))
              (should-not (string-match-p "^\\* second" (buffer-string)))
              (should (string-match-p (regexp-quote (novablend-test-tokyo monday))
                                      (buffer-string))))
            (with-temp-buffer
              (insert-file-contents calendar)
              (should (string-match-p "\\`BEGIN:VCALENDAR" (buffer-string)))
              (should (string-match-p "^SUMMARY:.*Cut" (buffer-string))))
            (setq novablend-test--answers '(no))
            (cl-letf (((symbol-function 'read-file-name) (lambda (&rest _) org)))
              (call-interactively #'novablend-export-calendar))
            (should-not (equal (file-attribute-size (file-attributes org))
                               (file-attribute-size (file-attributes calendar)))))
        (set-time-zone-rule nil)))))

(defun novablend-test-tokyo (monday)
  "The timestamp of 12:00 to 12:30 in Madrid on MONDAY, in Tokyo."
  (let ((start (parse-iso8601-time-string
                (concat monday "T12:00" (if (string-match-p "-0[4-9]-\\|-10-" monday)
                                            ":00+02:00" ":00+01:00")))))
    (concat (format-time-string "<%F %a %H:%M-" start)
            (format-time-string "%H:%M>" (time-add start 1800)))))

(provide 'novablend-tests)
;;; novablend-tests.el ends here
