;;; novablend-fault-tests.el --- Tests of faults  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The program is missing, too old, or killed; the server is stopped, or does not
;; answer.  The plugin says what to do, and recovers without a restart of Emacs.

;;; Code:

(require 'novablend-test-helper)

(defmacro novablend-test-with-fault (fault method &rest body)
  "Run BODY with a program that has FAULT in METHOD."
  (declare (indent 2) (debug t))
  `(let ((novablend-program (concat novablend-test--root "faulty"))
         (process-environment process-environment))
     ;; The program gets `serve' and then the arguments of the user.
     (novablend-test--write-program "exec python3 %sfaulty_program.py %s %s %snovablend \"$@\""
                                    novablend-test--directory ,fault ,method novablend-test--bin)
     ,@body))

(defun novablend-test--write-program (script &rest objects)
  "Write SCRIPT, a format of a shell script with OBJECTS, to `novablend-program'."
  (with-temp-file novablend-program
    (insert "#!/bin/sh\n" (apply #'format script objects) "\n"))
  (set-file-modes novablend-program #o700))

(defun novablend-test--kill-program ()
  "Kill the program."
  (signal-process (jsonrpc--process novablend--connection) 'KILL))

(defun novablend-test--send-booking ()
  "Book a color at 10:00 on the first day of a week, and return the buffer of the week."
  (let ((buffer (novablend-test-week)))
    (with-current-buffer buffer (novablend-test-book-in-week "10:00"))
    buffer))

;;;; The program

(ert-deftest novablend-missing-program-is-named-and-then-found ()
  (novablend-test-with-world
    (let ((novablend-program "/nonexistent/novablend"))
      (novablend-salons)
      (novablend-test-wait-for "/nonexistent/novablend cannot be started.*`?novablend-program")
      (with-current-buffer "*NovaBlend salons*"
        (should (equal (substring-no-properties (novablend-view--status)) " failed"))))
    (with-current-buffer "*NovaBlend salons*"
      (revert-buffer)
      (novablend-test-wait-until-shown (current-buffer) "Peluquería Sol"))))

(ert-deftest novablend-wrong-arguments-are-shown-in-the-words-of-the-program ()
  (novablend-test-with-world
    (let ((novablend-arguments '("--no-such-option")))
      (novablend-salons)
      (novablend-test-wait-for "has ended (exit code 64: .*no-such-option"))
    (novablend-restart)
    (novablend-test-wait-until-shown "*NovaBlend salons*" "Peluquería Sol")))

(defun novablend-test--notification (resource)
  "The bytes of a message that RESOURCE has changed."
  (let ((json (json-serialize `(:jsonrpc "2.0" :method "resource/didChange"
                                         :params (:resource ,resource)))))
    (format "Content-Length: %d\r\n\r\n%s" (length json) json)))

(ert-deftest novablend-output-of-the-program-before-a-restart-is-read-by-itself ()
  (novablend-test-with-world
    ;; The process of a program does not end before the test does.
    (setq novablend-program (concat novablend-test--root "program"))
    (novablend-test--write-program "%snovablend \"$@\"\nexec sleep 600" novablend-test--bin)
    (novablend-salons)
    (novablend-test-wait-until-shown "*NovaBlend salons*" " live")
    (let* ((old (jsonrpc--process novablend--connection))
           (received nil)
           (novablend--change-functions (list (lambda (resource) (push resource received)))))
      (novablend-restart)
      (novablend-test-wait-until-shown "*NovaBlend salons*" " live")
      (let* ((new (jsonrpc--process novablend--connection))
             (message (novablend-test--notification "new")))
        (funcall (process-filter new) new (substring message 0 50))
        (funcall (process-filter old) old (novablend-test--notification "old"))
        (funcall (process-filter new) new (substring message 50)))
      (novablend-test-wait (lambda () (and (member "old" received) (member "new" received)))))))

(ert-deftest novablend-old-program-shows-lists-without-live-updates ()
  (novablend-test-with-world
    (novablend-test-with-fault "method" "resource/subscribe"
      (novablend-salons)
      (novablend-test-wait-for "is too old: it has no method resource/subscribe.  Install a newer")
      (novablend-test-wait-until-shown "*NovaBlend salons*" "Peluquería Sol")
      (should-not novablend--live))
    (novablend-restart)
    (novablend-test-wait-until-shown "*NovaBlend salons*" " live")))

(ert-deftest novablend-old-program-without-a-needed-method-says-so ()
  (novablend-test-with-world
    (novablend-test-with-fault "method" "salons/availability"
      (novablend-week (novablend-test-salon novablend-test--sol))
      (novablend-test-wait-for "too old: it has no method salons/availability"))))

(ert-deftest novablend-old-program-without-a-needed-name-says-so ()
  (pcase-dolist (`(,fault ,name) '(("parameter" "parameter newer")
                                   ("member" "member newer in its parameter fields")))
    (novablend-test-with-world
      (novablend-test-with-fault fault "salons/availability"
        (novablend-week (novablend-test-salon novablend-test--sol))
        (novablend-test-wait-for
         (format "too old: salons/availability has no %s\\.  Install a newer" name))))))

(ert-deftest novablend-killed-program-is-started-again-for-open-buffers ()
  (novablend-test-with-world
    (novablend-test-salon novablend-test--sol)
    (novablend-test-wait-until-shown "*NovaBlend salons*" " live")
    (let ((connection novablend--connection))
      (novablend-test--kill-program)
      (novablend-test-wait-for "the program has ended (signal 9); it was started again")
      (novablend-test-wait (lambda () (and novablend--connection
                                           (not (eq novablend--connection connection)))))
      (novablend-test-wait-until-shown "*NovaBlend salons*" "Peluquería\\(?:.\\|\n\\)* live")
      ;; The second end in a short time: a timer tries again.
      (setq novablend-view--restarted (- (float-time) (- novablend-view--pause 3)))
      (novablend-test--kill-program)
      (novablend-test-wait-for "has ended again (signal 9); it is started again at [0-9:]+\\'")
      (with-current-buffer "*NovaBlend salons*"
        (should (string-match-p "\\` ended, starts again at [0-9:]+\\'"
                                (substring-no-properties (novablend-view--status))))
        (novablend-test-wait-until-shown (current-buffer) "Peluquería\\(?:.\\|\n\\)* live")))))

(ert-deftest novablend-program-that-keeps-ending-is-started-again-and-again ()
  (novablend-test-with-world
    (let ((novablend-view--pause 0.2)
          (real novablend-program))
      (novablend-test-salon novablend-test--sol)
      (setq novablend-program (concat novablend-test--root "ending"))
      (novablend-test--write-program "echo 'novablend: no memory' >&2; exit 3")
      (novablend-test--kill-program)
      (novablend-test-wait-for "has ended (signal 9); it was started again")
      ;; It ends before its first answer, and so does the next one.
      (novablend-test-wait-for "has ended again (exit code 3: no memory); it is started again")
      (setq novablend-test--messages nil)
      (novablend-test-wait-for "has ended \\(again \\)?(exit code 3: no memory)")
      (setq novablend-program real)
      (novablend-test-wait-until-shown "*NovaBlend salons*" "Peluquería\\(?:.\\|\n\\)* live"))))

;;;; A program that does not answer

(defmacro novablend-test-with-silence (method &rest body)
  "Run BODY with a program that is silent from METHOD on."
  (declare (indent 1) (debug t))
  `(let ((process-environment (cons (concat "NOVABLEND_TEST_RELEASE=" novablend-test--root "release")
                                    process-environment)))
     (novablend-test-with-fault "silent" ,method ,@body)))

(defun novablend-test--release ()
  "Let the silent program answer."
  (with-temp-file (concat novablend-test--root "release")))

(ert-deftest novablend-silent-program-ends-the-loading-of-a-list-and-of-a-prompt ()
  (novablend-test-with-world
    (novablend-test-with-silence "appointments/list"
      (novablend-test-salon novablend-test--sol)
      (let ((novablend-timeout 0.5))
        (novablend-appointments)
        (novablend-test-wait-for "not answered for 0.5 s\\.  M-x novablend-restart starts it again")
        (novablend-test-wait-until-shown
         "*NovaBlend appointments*"
         "has\\s-not\\s-answered\\(?:.\\|\n\\)*Type\\s-g\\(?:.\\|\n\\)* failed")
        (setq novablend-test--messages nil)
        (cl-letf ((completing-read-function
                   (lambda (&rest _) (novablend-test-wait-for "has not answered") "")))
          (should-error (novablend-read-salon) :type 'user-error)))
      ;; A late answer is shown, too.
      (novablend-test--release)
      (novablend-test-wait-until-shown "*NovaBlend appointments*"
                                       "There are no appointments\\(?:.\\|\n\\)* live"))))

(ert-deftest novablend-silent-program-is-killed-by-a-restart ()
  (novablend-test-with-world
    (let ((real novablend-program))
      (novablend-test-with-silence "appointments/list"
        (let ((novablend-timeout 0.5)) (novablend-appointments)
             (novablend-test-wait-until-shown "*NovaBlend appointments*" " failed"))
        (setq novablend-program real)
        (let ((process (jsonrpc--process novablend--connection)))
          (novablend-restart)
          (novablend-test-wait-until-shown "*NovaBlend appointments*" " live")
          (novablend-test-wait (lambda () (not (process-live-p process)))))))))

(ert-deftest novablend-stopped-program-is-replaced ()
  (novablend-test-with-world
    (novablend-test-salon novablend-test--sol)
    (let ((process (jsonrpc--process novablend--connection)))
      (signal-process process 'STOP)
      (novablend-test-wait (lambda () (eq (process-status process) 'stop)))
      (novablend-appointments)
      (novablend-test-wait-until-shown "*NovaBlend appointments*" "There are no appointments")
      (novablend-test-wait (lambda () (not (process-live-p process)))))))

(ert-deftest novablend-silent-program-leaves-a-booking-in-doubt-with-its-key ()
  (novablend-test-with-world
    (novablend-test-with-silence "appointments/book"
      (let ((buffer (novablend-test-week)))
        (with-current-buffer buffer
          (let ((novablend-timeout 0.5)) (novablend-test-book-in-week "10:00"))
          (let ((key (plist-get (car novablend-changes) :key)))
            (novablend-test-wait-for
             (format "in doubt: Color with Carmen .*(key %s).*has not answered for 0.5 s" key))
            (novablend-appointments)
            (novablend-test--release)
            (novablend-test-wait-for "Booked: Color with Carmen")
            (novablend-test-wait-until-shown buffer "10:00 +Color C"))))
      (should-not novablend-changes)
      (should (= (length (novablend-test-stored)) 1)))))

(ert-deftest novablend-booking-of-a-program-that-is-silent-until-it-is-restarted-is-resolved ()
  (novablend-test-with-world
    (let ((real novablend-program))
      (novablend-test-with-silence "appointments/book"
        (let ((buffer (novablend-test-week)))
          (with-current-buffer buffer
            (let ((novablend-timeout 0.5)) (novablend-test-book-in-week "10:00"))
            (novablend-test-wait-for "in doubt: Color with Carmen .*has not answered")
            (setq novablend-program real)
            (novablend-restart)
            (novablend-test-wait-for "Not booked: Color with Carmen"))))
      (should-not novablend-changes)
      (should-not (novablend-test-stored)))))

;;;; Bookings in doubt

(ert-deftest novablend-booking-of-a-killed-program-is-found-after-a-restart ()
  (novablend-test-with-world
    (setq novablend-test--fault 'hold-response)
    (with-current-buffer (novablend-test--send-booking)
      (novablend-test-wait (lambda () (and novablend-test--held (novablend-test-stored))))
      (novablend-test--kill-program)
      (novablend-test-wait-for "Booked: Color with Carmen")
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C"))
    (should (= (length (novablend-test-stored)) 1))
    (should-not novablend-changes)))

(ert-deftest novablend-booking-that-was-not-received-stays-in-doubt-until-discarded ()
  (novablend-test-with-world
    (setq novablend-test--fault 'hold-request)
    (with-current-buffer (novablend-test--send-booking)
      (novablend-test-wait (lambda () novablend-test--held))
      (novablend-test--kill-program)
      (novablend-test-wait-for "in doubt: Color .*M-x novablend-resolve .*does not show it yet")
      (novablend-test-wait-until-shown (current-buffer)
                                       "Color\\s-with\\s-Carmen\\(?:.\\|\n\\)*\\s-in\\s-doubt"))
    (setq novablend-test--fault nil)
    (novablend-appointments)
    (novablend-test-wait-until-shown "*NovaBlend appointments*" "10:00 .*IN DOUBT\\(?:.\\|\n\\)*Type\\s-r")
    (with-current-buffer "*NovaBlend appointments*"
      (goto-char (point-min))
      (should-error (novablend-appointments-cancel) :type 'user-error)
      (should-not (novablend-test-stored))
      (call-interactively #'novablend-appointments-discard)
      (novablend-test-wait-for "Not booked: Color")
      (novablend-test-wait-until-shown (current-buffer) "There are no appointments"))))

(ert-deftest novablend-booking-that-the-program-never-sent-is-reported-as-not-booked ()
  (novablend-test-with-world
    (let ((real novablend-program))
      (novablend-test-with-fault "deadly" "appointments/book"
        (let ((buffer (novablend-test-week)))
          (with-current-buffer buffer
            (novablend-test-goto 'free "10:00")
            (setq novablend-test--answers '("Color" "Carmen" "+34 600 111 222"))
            ;; The next program is a different one.
            (cl-letf (((symbol-function 'y-or-n-p)
                       (lambda (_) (prog1 t (run-at-time 0 nil (lambda ()
                                                                 (setq novablend-program real)))))))
              (call-interactively #'novablend-week-act))
            (novablend-test-wait-for "Not booked: Color with Carmen")))))
    (should-not novablend-changes)
    (should-not (novablend-test-stored))))

(ert-deftest novablend-lost-answer-of-a-stopped-server-is-resolved-when-it-is-back ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test-week)
      (setq novablend-test--fault 'hold-response)
      (novablend-test-book-in-week "10:00")
      (novablend-test-wait (lambda () (and novablend-test--held (novablend-test-stored))))
      (novablend-test-stop-backend)
      (setq novablend-test--fault nil)
      (novablend-test--drop-clients)
      (novablend-test-wait-for "in doubt: Color .*M-x novablend-resolve")
      (novablend-test-wait-until-shown (current-buffer) "in\\s-doubt\\(?:.\\|\n\\)*From\\s-the\\s-cache")
      (novablend-test-start-backend)
      (novablend-test-wait-for "Booked: Color with Carmen")
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C"))
    (should (= (length (novablend-test-stored)) 1))))

(defun novablend-test--drop-clients ()
  "Close the connections of the relay."
  (dolist (process (process-list))
    (when (process-get process 'server) (delete-process process))))

(ert-deftest novablend-cancellation-of-a-killed-program-is-found-after-a-restart ()
  (novablend-test-with-world
    (with-current-buffer (novablend-test--send-booking)
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C")
      (setq novablend-test--fault 'hold-response)
      (novablend-test-goto 'own "10:00")
      (call-interactively #'novablend-week-cancel)
      (novablend-test-wait (lambda () (and novablend-test--held (not (novablend-test-stored)))))
      (novablend-test--kill-program)
      (novablend-test-wait-for "Cancelled: Color with Carmen")
      (novablend-test-wait (lambda () (not (string-match-p "Color C" (buffer-string))))))))

(ert-deftest novablend-doubt-survives-a-restart-of-emacs ()
  (novablend-test-with-world
    (setq novablend-test--fault 'hold-request)
    (with-current-buffer (novablend-test--send-booking)
      (novablend-test-wait (lambda () novablend-test--held))
      ;; A restart would end the program, and forget everything.
      (novablend-test--kill-program)
      (novablend-test-wait-for "does not show it yet")
      (kill-buffer))
    (novablend-stop)
    (setq novablend-changes nil
          novablend-test--fault nil)
    (novablend-appointments)
    (novablend-test-wait-until-shown "*NovaBlend appointments*" "IN DOUBT.*Earlier book")
    (with-current-buffer "*NovaBlend appointments*"
      (goto-char (point-min))
      (call-interactively #'novablend-appointments-discard)
      (novablend-test-wait-until-shown (current-buffer) "There are no appointments"))))

(ert-deftest novablend-restart-during-a-booking-does-not-lose-its-outcome ()
  (novablend-test-with-world
    (setq novablend-test--fault 'hold-response)
    (with-current-buffer (novablend-test--send-booking)
      (novablend-test-wait (lambda () (and novablend-test--held (novablend-test-stored))))
      (setq novablend-test--fault nil)
      (novablend-restart)
      (novablend-test-wait-for "in doubt: Color")
      (call-interactively #'novablend-resolve)
      (novablend-test-wait-for "Booked: Color")
      (novablend-test-wait-until-shown (current-buffer) "10:00 +Color C"))
    (should (= (length (novablend-test-stored)) 1))))

;;;; The server

(ert-deftest novablend-outage-and-recovery-are-shown-in-open-buffers ()
  (novablend-test-with-world
    (novablend-appointments)
    (with-current-buffer (novablend-test-week)
      (let ((buffers (novablend-view-buffers)))
        (should (= (length buffers) 3))
        (dolist (buffer buffers) (novablend-test-wait-until-shown buffer " live"))
        (novablend-test-stop-backend)
        (dolist (buffer buffers)
          (novablend-test-wait-until-shown
           buffer "From\\s-the\\s-cache, [0-9]+\\s-s\\s-old\\(?:.\\|\n\\)*cached, [0-9]+ s old"))
        (novablend-test-start-backend)
        (dolist (buffer buffers)
          (novablend-test-wait-until-shown buffer " live")
          (should-not (string-match-p "cache" (with-current-buffer buffer (buffer-string)))))
        (should (string-match-p "10:00 2 free" (buffer-string)))))))

(ert-deftest novablend-booking-without-a-connection-books-nothing ()
  (novablend-test-with-world
    (novablend-test-salon novablend-test--sol)
    (novablend-test-stop-backend)
    ;; The relay would accept the connection, and then the request may have been carried out.
    (delete-process novablend-test--relay)
    (setq novablend-test--answers '("Sol" "Cut" "anyone" "Tue .* 11:00" "+34 600 111 222"))
    (call-interactively #'novablend-book)
    (novablend-test-wait-for "needs a connection; nothing was booked")
    (should-not novablend-changes)))

(provide 'novablend-fault-tests)
;;; novablend-fault-tests.el ends here
