;;; client.el --- Emacs' own jsonrpc.el as a client  -*- lexical-binding: t -*-

(require 'jsonrpc)

(setq jsonrpc-default-request-timeout 30)

(defvar exit nil "How the server ended.")

(defun read-environment (name &rest arguments)
  (apply #'json-parse-string (getenv name) arguments))

(defun ask (question)
  "Say QUESTION on standard output and wait for a line."
  (princ (concat question "\n"))
  (read-from-minibuffer ""))

(defun await (condition)
  "Take what the server says until CONDITION holds, for 30 seconds at most."
  (with-timeout (30 (error "Nothing came"))
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
       (none (make-hash-table)))
  (jsonrpc-request server 'initialize (list :capabilities none))
  (jsonrpc-notify server 'initialized none)
  (let* ((salons (plist-get (jsonrpc-request server 'salons/list none) :salons))
         (booking (read-environment "BOOKING" :object-type 'plist))
         (booked (plist-get (jsonrpc-request server 'appointments/book booking) :appointment))
         (listed (plist-get (jsonrpc-request server 'appointments/list none) :appointments))
         code)
    (unless (equal listed (vector booked)) (error "The booking is not listed: %S" listed))

    (ask "hold")
    (let ((id (car (jsonrpc--async-request-1
                    server 'salons/list none
                    :success-fn (lambda (_) (setq code 0))
                    :error-fn (lambda (reply) (setq code (plist-get reply :code)))))))
      (ask "reached")
      (jsonrpc-notify server '$/cancelRequest (list :id id)))
    (await (lambda () code))
    (unless (eql code -32800) (error "Not cancelled: %S" code))
    (ask "closed")

    (jsonrpc-request server 'shutdown nil)
    (jsonrpc-notify server 'exit nil)
    (await (lambda () exit))
    (unless (eql exit 0) (error "The server ended with %S" exit))
    (princ (json-serialize (list :salons (length salons) :listed (length listed)
                                 :cancelled code :exit exit)))
    (terpri)))
