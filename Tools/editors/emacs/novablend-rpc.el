;;; novablend-rpc.el --- The connection to the program  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Starts `novablend serve' when it is needed, and again after it has ended.  No
;; function of this file waits for an answer, and each call ends with an answer or an error.

;;; Code:

(require 'cl-lib)
(require 'eieio)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)
(require 'novablend-options)
(require 'novablend-text)

(defvar novablend--connection nil
  "The connection to the program, or nil before the first call.")

(defvar novablend--starts 0 "How often the program was started.")

(defvar novablend--subscribed nil
  "The resources whose changes the running program was asked to report.")

(defvar novablend--live nil
  "The resources whose changes the running program reports.")

(defvar novablend--change-functions nil
  "Functions that are called with the name of each resource that has changed.")

(defvar novablend--exit-functions nil
  "Functions that are called after the program has ended unexpectedly.")

(defvar novablend--answered nil
  "Whether a program has answered a call since the options were last changed.
Otherwise a program that ends is not started again automatically.")

(defvar novablend--exit nil
  "Why the program ended the last time, as a text.")

(defconst novablend--missing -1001 "The code of the error of a missing program.")
(defconst novablend--ended -1 "The code that jsonrpc.el uses after the program has ended.")
(defconst novablend--silent -1002 "The code of the error of a program that does not answer.")

;;;; Calls

(defun novablend--call (method &optional params success failure)
  "Call METHOD with PARAMS, a plist, and return immediately.
SUCCESS is called with the result, or FAILURE with the error, a plist.  By
default the error is shown in the echo area.  If there is no answer within
`novablend-timeout', FAILURE is called, and a later answer is still passed on."
  (let* ((timer nil)
         (fail (lambda (error)
                 (cancel-timer timer)
                 (novablend--later #'novablend--fail
                                   (append error (list :method method :failure failure))))))
    (setq timer (run-at-time novablend-timeout nil #'novablend--expire fail novablend-timeout))
    (condition-case problem
        (jsonrpc-async-request
         (novablend--connect) (intern method) (or params (make-hash-table))
         ;; After its own timeout, jsonrpc.el would drop the answer.
         :timeout nil
         :success-fn (lambda (result)
                       (cancel-timer timer)
                       (setq novablend--answered t)
                       (novablend--later (or success #'ignore) result))
         :error-fn fail)
      (file-error
       (funcall fail (list :code novablend--missing :message (error-message-string problem))))
      (error
       (funcall fail (list :code novablend--ended :message (error-message-string problem)))))
    nil))

(defun novablend--expire (fail seconds)
  "Call FAIL, because the program has not answered for SECONDS."
  (funcall fail (list :code novablend--silent
                      :message (format "The program has not answered for %s s.  %s"
                                       seconds "M-x novablend-restart starts it again"))))

(defun novablend--fail (error)
  "Pass ERROR to its failure function."
  (when (and (eql (plist-get error :code) novablend--ended) novablend--connection)
    (novablend--note-exit novablend--connection))
  (funcall (or (plist-get error :failure) #'novablend--show-error) error))

(defun novablend--later (function value)
  "Call FUNCTION with VALUE outside of the process filter.
An error in a filter would lose the messages after it.  An error in FUNCTION,
such as that of a file that cannot be written, is shown in the echo area."
  (run-at-time 0 nil
               (lambda ()
                 (condition-case problem (funcall function value)
                   (error (message "NovaBlend: %s" (error-message-string problem)))))))

(defun novablend-error-text (error)
  "Describe ERROR, a plist, and say what to do."
  (let ((code (plist-get error :code))
        (reason (novablend-line (or (plist-get (plist-get error :data) :reason)
                                    (plist-get error :message)
                                    "unknown error")))
        (lack (novablend--lack error)))
    (cond
     ((eql code novablend--missing)
      (format "The program %s cannot be started (%s).  Install it, or set `novablend-program'"
              novablend-program reason))
     ((eql code novablend--ended)
      (format "The program has ended%s.  The next command starts it again"
              (if novablend--exit (format " (%s)" novablend--exit) "")))
     (lack
      (format "%s is too old: %s.  Install a newer version, then M-x novablend-restart"
              novablend-program lack))
     ((eql code 1301) (concat reason " (see `novablend-arguments')"))
     (t reason))))

(defun novablend--lack (error)
  "What the program lacks according to ERROR, because it is too old; otherwise nil."
  (let* ((method (plist-get error :method))
         (data (plist-get error :data))
         (parameter (plist-get data :parameter))
         (unknown (novablend-list (plist-get data :unknown)))
         (names (string-join unknown ", ")))
    (cond ((eql (plist-get error :code) -32601) (format "it has no method %s" method))
          ((member parameter unknown) (format "%s has no parameter %s" method names))
          (unknown (format "%s has no member %s in its parameter %s" method names parameter)))))

(defun novablend--show-error (error)
  "Show ERROR, a plist, in the echo area."
  (message "NovaBlend: %s" (novablend-error-text error)))

(defun novablend--error-name (error)
  "The name of ERROR, a plist, such as `bookingInDoubt'; nil if it has none."
  (plist-get (plist-get error :data) :name))

;;;; The program

(defun novablend--running-p ()
  "Whether the program is running.
A program that was stopped by a signal is not: Emacs sends nothing to it."
  (and novablend--connection
       (eq (process-status (jsonrpc--process novablend--connection)) 'run)))

(defun novablend--connect ()
  "Return the connection to the program, and start it if necessary."
  (unless (novablend--running-p)
    (when novablend--connection (novablend--kill (jsonrpc--process novablend--connection)))
    (setq novablend--subscribed nil
          novablend--live nil
          ;; jsonrpc.el derives the names of buffers from this name.  The last output of an earlier
          ;; program must not get into the buffer of this one.
          novablend--connection (novablend--make-connection
                                 (format "novablend %d" (cl-incf novablend--starts)))))
  novablend--connection)

(defun novablend--make-connection (name)
  "Start the program and return the connection NAME to it."
  (apply #'jsonrpc-process-connection
         :name name
         :process (lambda () (novablend--start name))
         :notification-dispatcher #'novablend--receive
         :on-shutdown #'novablend--handle-exit
         ;; The messages contain phone numbers, so they are not logged.
         (if (slot-exists-p 'jsonrpc-connection '-events-buffer-config)
             '(:events-buffer-config (:size 0 :format full))
           '(:events-buffer-scrollback-size 0))))

(defun novablend--start (name)
  "Start the program and return its process.  NAME is that of the connection."
  ;; The directory of the buffer may be on a different machine, or deleted.
  (let ((default-directory temporary-file-directory))
    (make-process :name "novablend"
                  :command `(,(or (executable-find (substitute-in-file-name novablend-program))
                                  (signal 'file-missing (list "no such program")))
                             "serve" ,@novablend-arguments)
                  :connection-type 'pipe :coding 'utf-8-unix :noquery t
                  ;; jsonrpc.el expects this name.
                  :stderr (get-buffer-create (format "*%s stderr*" name)))))

(defun novablend--handle-exit (connection)
  "Recover after the program of CONNECTION has ended."
  (novablend--later
   (lambda (connection)
     (when (eq connection novablend--connection)
       (novablend--note-exit connection)
       (setq novablend--connection nil
             novablend--subscribed nil
             novablend--live nil)
       (when novablend--answered (run-hooks 'novablend--exit-functions)))
     (kill-buffer (jsonrpc-events-buffer connection))
     (jsonrpc-shutdown connection t))
   connection))

(defun novablend--note-exit (connection)
  "Record why the program of CONNECTION has ended, if it has."
  (let* ((process (jsonrpc--process connection))
         (buffer (jsonrpc-stderr-buffer connection))
         (errors (and (buffer-live-p buffer) (get-buffer-process buffer))))
    (unless (process-live-p process)
      ;; The program has ended, so the rest of its standard error is available.
      (while (and (process-live-p errors) (accept-process-output errors 0.2)))
      (setq novablend--exit
            (concat (format (if (eq (process-status process) 'signal) "signal %d" "exit code %d")
                            (process-exit-status process))
                    (and (buffer-live-p buffer)
                         (with-current-buffer buffer (novablend--error-line))))))))

(defun novablend--error-line ()
  "The last message in this buffer, the program's standard error, after a colon."
  (goto-char (point-max))
  (when (re-search-backward "^novablend: \\(.+\\)" nil t)
    (concat ": " (novablend-line (match-string 1)))))

(defun novablend-stop ()
  "End the program.
Calls in progress have 1.5 s to finish."
  (interactive)
  (when novablend--connection
    (let ((process (jsonrpc--process novablend--connection)))
      (when (novablend--running-p) (process-send-eof process))
      ;; A program that does not answer may not read the end of its input, either.  While it
      ;; lives, no other program finds out what became of its bookings.
      (run-at-time 5 nil #'novablend--kill process)))
  (setq novablend--connection nil
        novablend--answered nil
        novablend--subscribed nil
        novablend--live nil))

(defun novablend--kill (process)
  "Kill PROCESS if it has not ended."
  (when (process-live-p process) (signal-process process 'KILL)))

;;;; Subscriptions

(defun novablend--subscribe (resource)
  "Ask the running program to report each change of RESOURCE."
  (when (and novablend-live-updates (novablend--running-p)
             (not (member resource novablend--subscribed)))
    (push resource novablend--subscribed)
    (novablend--call "resource/subscribe" (list :resource resource)
                     (lambda (_) (push resource novablend--live)))))

(defun novablend--unsubscribe (resource)
  "End the subscription to RESOURCE."
  (when (and (novablend--running-p) (member resource novablend--subscribed))
    (setq novablend--subscribed (remove resource novablend--subscribed)
          novablend--live (remove resource novablend--live))
    (novablend--call "resource/unsubscribe" (list :resource resource))))

(defun novablend--receive (_connection method params)
  "Handle the notification METHOD with PARAMS."
  (when (eq method 'resource/didChange)
    (novablend--later (apply-partially #'run-hook-with-args 'novablend--change-functions)
                      (plist-get params :resource))))

(provide 'novablend-rpc)
;;; novablend-rpc.el ends here
