;;; novablend-test-helper.el --- The environment of a test  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each test has its own backend, a relay in front of it that can lose or withhold
;; responses, and its own directories.  The environment variable NOVABLEND_BIN names
;; the directory with the programs.

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'novablend)
(require 'seq)
(require 'subr-x)

(defconst novablend-test--bin
  (file-name-as-directory (or (getenv "NOVABLEND_BIN") (error "NOVABLEND_BIN is not set"))))

(defconst novablend-test--directory
  (file-name-directory (or load-file-name buffer-file-name)))

(defconst novablend-test--sol "Peluquería Sol" "A salon with services and staff.")

(defvar novablend-test--deadline 60 "Seconds after which a test that hangs has failed.")
(defvar novablend-test--root nil "The directory of the present test.")
(defvar novablend-test--backend nil "The process of the backend.")
(defvar novablend-test--port nil "The port of the backend.")
(defvar novablend-test--relay nil "The process that listens for the program.")
(defvar novablend-test--fault nil
  "What the relay does to a change: nil, `hold-request', `hold-response', or `lose-response'.")
(defvar novablend-test--held nil "Whether the relay has withheld a request or a response.")
(defvar novablend-test--messages nil "What was shown in the echo area, newest first.")
(defvar novablend-test--answers nil "The answers to the next prompts.")
(defvar novablend-test--prompts nil "The prompts so far, each with its annotated candidates.")

;;;; Waiting

(defun novablend-test-wait (condition)
  "Handle events until CONDITION returns non-nil, and return that."
  (let ((deadline (+ (float-time) novablend-test--deadline))
        value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) deadline)
        (error "Timed out; messages: %S" (seq-take novablend-test--messages 5)))
      (accept-process-output nil 0.02))
    value))

(defun novablend-test-wait-for (text)
  "Wait until the echo area has shown TEXT, a regular expression, and return the message."
  (novablend-test-wait
   (lambda () (seq-find (lambda (message) (string-match-p text message))
                        novablend-test--messages))))

(defun novablend-test-wait-until-shown (buffer text)
  "Wait until BUFFER shows TEXT, a regular expression."
  (novablend-test-wait
   (lambda ()
     (and (get-buffer buffer)
          (with-current-buffer buffer
            (and (not novablend-view--loading)
                 (string-match-p text (concat (buffer-string)
                                              (novablend-view--status)))))))))

;;;; Backend and relay

(defun novablend-test-start-backend ()
  "Start the backend, on the port that it had before."
  (let ((output ""))
    (setq novablend-test--backend
          (make-process
           :name "backend" :noquery t :connection-type 'pipe
           :command (list (concat novablend-test--bin "novablend-backend")
                          "--port" (number-to-string (or novablend-test--port 0))
                          "--database" (concat novablend-test--root "backend.sqlite")
                          "--exit-with-input")
           :filter (lambda (_ text) (setq output (concat output text)))))
    (novablend-test-wait (lambda () (string-match ":\\([0-9]+\\)\n" output)))
    (setq novablend-test--port (string-to-number (match-string 1 output)))))

(defun novablend-test-stop-backend ()
  "Kill the backend."
  (delete-process novablend-test--backend)
  (novablend-test-wait (lambda () (not (process-live-p novablend-test--backend)))))

(defun novablend-test--start-relay ()
  "Start the relay, and return its URL."
  (setq novablend-test--relay
        (make-network-process :name "relay" :server t :host "127.0.0.1" :service t :noquery t
                              :coding 'binary :filter #'novablend-test--pass-on
                              :sentinel #'ignore))
  (format "http://127.0.0.1:%d" (process-contact novablend-test--relay :service)))

(defun novablend-test--pass-on (client bytes)
  "Pass BYTES of CLIENT on to the backend, unless there is a fault."
  (let ((server (or (process-get client 'server) (novablend-test--connect client)))
        (is-change (string-match-p "\\`\\(?:POST\\|PATCH\\|DELETE\\) /appointments" bytes)))
    (when is-change (process-put client 'fault novablend-test--fault))
    (cond ((null server) (delete-process client))
          ((eq (process-get client 'fault) 'hold-request) (setq novablend-test--held t))
          (t (process-send-string server bytes)))))

(defun novablend-test--connect (client)
  "Connect CLIENT with the backend; return nil if that is not possible."
  (when-let* ((server
               (ignore-errors
                 (make-network-process
                  :name "server" :host "127.0.0.1" :service novablend-test--port :noquery t
                  :coding 'binary
                  :filter (lambda (_ bytes) (novablend-test--pass-back client bytes))
                  :sentinel (lambda (server _)
                              (unless (or (process-live-p server)
                                          (eq (process-get client 'fault) 'hold-response))
                                (delete-process client)))))))
    (process-put client 'server server)
    server))

(defun novablend-test--pass-back (client bytes)
  "Pass BYTES of the backend back to CLIENT, unless there is a fault."
  (pcase (process-get client 'fault)
    ('hold-response (setq novablend-test--held t))
    ('lose-response (setq novablend-test--held t) (delete-process client))
    (_ (when (process-live-p client) (process-send-string client bytes)))))

(defun novablend-test-run (&rest arguments)
  "Run the program with ARGUMENTS as a different user would; return its JSON."
  (with-temp-buffer
    (let ((process-environment
           (append (mapcar (lambda (name) (format "XDG_%s_HOME=%sother" name novablend-test--root))
                           '("CONFIG" "CACHE" "STATE"))
                   process-environment)))
      (apply #'call-process (concat novablend-test--bin "novablend") nil '(t nil) nil
             (append arguments
                     (list "--json" "--base-url"
                           (format "http://127.0.0.1:%d" novablend-test--port)))))
    (goto-char (point-min))
    (json-parse-buffer :object-type 'plist)))

(defun novablend-test-import (&rest salons)
  "Import SALONS, plists without the members that all salons need."
  (let ((file (concat novablend-test--root "salons.json"))
        (common '(:phone "+49 30 5550101" :open_time 9.0 :close_time 17.0)))
    (with-temp-file file
      (insert (json-serialize
               (list :salons
                     (vconcat (seq-map-indexed
                               (lambda (salon index)
                                 (append (list :id (format "90000000-0000-4000-8000-%012d" index))
                                         salon common))
                               salons))))))
    (with-temp-buffer
      (unless (zerop (call-process (concat novablend-test--bin "novablend-backend") nil t nil
                                   "salons" "import" file "--database"
                                   (concat novablend-test--root "backend.sqlite")))
        (error "The salons were not imported: %s" (buffer-string))))))

(defun novablend-test-stored ()
  "The appointments that the backend has."
  (append (plist-get (novablend-test-run "appointments") :appointments) nil))

;;;; A test

(defmacro novablend-test-with-world (&rest body)
  "Run BODY with a backend, a relay, and empty directories."
  (declare (indent 0) (debug t))
  `(let* ((novablend-test--root (file-name-as-directory (make-temp-file "novablend" t)))
          (process-environment
           (append (mapcar (lambda (name)
                             (format "XDG_%s_HOME=%s%s" name novablend-test--root name))
                           '("CONFIG" "CACHE" "STATE"))
                   process-environment))
          (novablend-program (concat novablend-test--bin "novablend"))
          (novablend-view--restarted 0)
          (completing-read-function #'novablend-test--choose)
          novablend-test--backend novablend-test--port novablend-test--relay
          novablend-test--fault novablend-test--held novablend-test--messages
          novablend-test--answers novablend-test--prompts)
     (unwind-protect
         (cl-letf (((symbol-function 'y-or-n-p) #'novablend-test--confirm)
                   ((symbol-function 'yes-or-no-p) #'novablend-test--confirm)
                   ((symbol-function 'read-string) (lambda (&rest _) (pop novablend-test--answers))))
           (advice-add 'message :before #'novablend-test--record)
           (novablend-test-start-backend)
           (let ((novablend-arguments (list "--base-url" (novablend-test--start-relay))))
             ,@body))
       (advice-remove 'message #'novablend-test--record)
       (novablend-test--end))))

(defun novablend-test--end ()
  "End everything that a test has started."
  (novablend-stop)
  (setq novablend-changes nil
        novablend-view--retry nil)
  (mapc #'cancel-function-timers
        '(novablend--expire novablend--kill novablend-view--start-again))
  (mapc #'kill-buffer (novablend-view-buffers))
  (dolist (process (process-list))
    (set-process-sentinel process #'ignore)
    (delete-process process))
  (delete-directory novablend-test--root t))

(defun novablend-test--record (format &rest arguments)
  "Record the message FORMAT with ARGUMENTS."
  (when format (push (apply #'format-message format arguments) novablend-test--messages)))

(defun novablend-test--confirm (prompt)
  "Record PROMPT, and answer yes unless the next answer is `no'."
  (push (list prompt) novablend-test--prompts)
  (if (eq (car novablend-test--answers) 'no) (ignore (pop novablend-test--answers)) t))

(defun novablend-test--choose (prompt collection &rest _)
  "Wait until COLLECTION has the next answer, and choose it.  Record PROMPT."
  (let* ((answer (or (pop novablend-test--answers) (error "Unexpected prompt: %s" prompt)))
         (names (novablend-test-wait
                 (lambda ()
                   (let ((names (all-completions "" collection)))
                     (and (seq-some (apply-partially #'string-match-p answer) names) names)))))
         (annotate (alist-get 'annotation-function
                              (cdr (completion-metadata "" collection nil)))))
    (push (cons prompt (mapcar (lambda (name) (concat name (funcall annotate name))) names))
          novablend-test--prompts)
    (seq-find (apply-partially #'string-match-p answer) names)))

(defun novablend-test-salon (name)
  "Show the salons, and return the one with NAME."
  (novablend-salons)
  (novablend-test-wait-until-shown "*NovaBlend salons*" name)
  (with-current-buffer "*NovaBlend salons*"
    (seq-find (lambda (salon) (equal (plist-get salon :name) name)) novablend-salons--list)))

(defun novablend-test-monday ()
  "A Monday from next week on, in a week without holidays of the salon."
  (let ((time (time-add nil (* 86400 (- 8 (string-to-number (format-time-string "%u")))))))
    (while (let ((day (format-time-string "%m-%d" time)))
             (or (string< "12-14" day) (string< day "01-07")))
      (setq time (time-add time (* 86400 7))))
    (format-time-string "%F" time)))

(defun novablend-test-week ()
  "Show the week of the salon with services from a Monday on, and return its buffer."
  (novablend-week (novablend-test-salon novablend-test--sol) (novablend-test-monday))
  (novablend-test-wait-until-shown (current-buffer) "Staff (s): Ana")
  (current-buffer))

(defun novablend-test-goto (kind time)
  "Move to the first item of KIND at TIME in this buffer."
  (goto-char (point-min))
  (goto-char
   (prop-match-beginning
    (text-property-search-forward
     'novablend-item nil
     (lambda (_ item) (and item (eq (plist-get item :kind) kind)
                           (equal (plist-get item :time) time)))))))

(defun novablend-test-book-in-week (time)
  "Book a color with Carmen at TIME on the first day of this buffer, a week."
  (novablend-test-goto 'free time)
  (setq novablend-test--answers '("Color" "Carmen" "+34 600 111 222"))
  (call-interactively #'novablend-week-act))

(defun novablend-test-run-in-frame ()
  "Run all tests in this frame, write the messages to a file, and exit."
  (advice-add 'message :after
              (lambda (format &rest arguments)
                (when format
                  (write-region (concat (apply #'format-message format arguments) "\n") nil
                                (getenv "NOVABLEND_TEST_OUTPUT") t 'silent))))
  (let ((stats (ert-run-tests-batch t)))
    (kill-emacs (if (zerop (ert-stats-completed-unexpected stats)) 0 1))))

(provide 'novablend-test-helper)
;;; novablend-test-helper.el ends here
