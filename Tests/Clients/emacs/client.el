;;; client.el --- A client that uses Emacs' jsonrpc.el  -*- lexical-binding: t -*-

(require 'jsonrpc)

(setq jsonrpc-default-request-timeout 30)

(defvar exit nil "The exit code of the server.")

(defun read-environment (name &rest arguments)
  (apply #'json-parse-string (getenv name) arguments))

(defun pause-at (step)
  "Print STEP on standard output and wait for a line."
  (princ (concat step "\n"))
  (read-from-minibuffer ""))

(defun await (condition)
  "Read messages from the server until CONDITION holds, for at most 30 seconds."
  (with-timeout (30 (error "Timed out"))
    (while (not (funcall condition)) (accept-process-output nil 0.1))))

(let* ((command (append (read-environment "SERVER") nil))
       (server (jsonrpc-process-connection
                :name "novablend"
                :process (lambda ()
                           (make-process :name "novablend" :command command
                                         :connection-type 'pipe :coding 'utf-8-emacs-unix
                                         :noquery t
                                         :stderr (get-buffer-create "*novablend stderr*")))
                :on-shutdown (lambda (server)
                               (setq exit (process-exit-status (jsonrpc--process server))))))
       (empty (make-hash-table)))
  (jsonrpc-request server 'initialize (list :capabilities empty))
  (jsonrpc-notify server 'initialized empty)
  (let* ((salons (plist-get (jsonrpc-request server 'salons/list empty) :salons))
         (booking (read-environment "BOOKING" :object-type 'plist))
         (booked (plist-get (jsonrpc-request server 'appointments/book booking) :appointment))
         (listed (plist-get (jsonrpc-request server 'appointments/list empty) :appointments))
         code)
    (unless (equal (mapcar (lambda (each) (plist-get each :id)) listed)
                   (list (plist-get booked :id)))
      (error "The booking is not listed: %S" listed))

    (pause-at "hold")
    (let ((id (car (jsonrpc--async-request-1
                    server 'salons/list empty
                    :success-fn (lambda (_) (setq code 0))
                    :error-fn (lambda (reply) (setq code (plist-get reply :code)))))))
      (pause-at "reached")
      (jsonrpc-notify server '$/cancelRequest (list :id id)))
    (await (lambda () code))
    (unless (eql code -32800) (error "Not cancelled: %S" code))
    (pause-at "closed")

    (jsonrpc-request server 'shutdown nil)
    (jsonrpc-notify server 'exit nil)
    (await (lambda () exit))
    (unless (eql exit 0) (error "The server exited with %S" exit))
    (princ (json-serialize (list :salons (length salons) :listed (length listed)
                                 :cancelled code :exit exit)))
    (terpri)))
