;;; novablend-change.el --- Bookings and changes, each made once  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each booking, move, and cancellation has an idempotency key.  If its outcome is
;; not known, because the program was killed or the server did not answer, it is in
;; doubt.  It is never sent again; `novablend-resolve' asks what happened to it.

;;; Code:

(require 'novablend-view)
(require 'seq)
(require 'subr-x)

(autoload 'novablend-resolve "novablend-resolve" nil t)

(defvar novablend-changes nil
  "The changes that are being made or are in doubt, newest first.
Each is a plist with these members:
- `:key', the idempotency key,
- `:method' and `:params', the call,
- `:summary', a text that says what is changed,
- `:doubt', why it is in doubt, a text, or nil,
- `:done', a function that is called with the result.")

(defconst novablend-change--verbs
  '(("appointments/book" "Booked" "Not booked")
    ("appointments/reschedule" "Moved" "Not moved")
    ("appointments/cancel" "Cancelled" "Not cancelled"))
  "The outcomes of each method.")

(defconst novablend-change--methods
  '(("book" . "appointments/book")
    ("reschedule" . "appointments/reschedule")
    ("cancel" . "appointments/cancel"))
  "The method of each action that the program reports.")

(defun novablend-doubts ()
  "Return each change in doubt."
  (seq-filter (lambda (change) (plist-get change :doubt)) novablend-changes))

(defun novablend-change (method params summary &optional done)
  "Call METHOD with PARAMS, to book, move, or cancel an appointment.
SUMMARY says what is changed.  DONE is called with the result."
  (let ((change (list :key (novablend-change--key) :method method :params params
                      :summary summary :done done :doubt nil)))
    (push change novablend-changes)
    (message "NovaBlend: sending: %s" summary)
    (novablend--call method (append params (list :idempotencyKey (plist-get change :key)))
                     (lambda (result) (novablend-change--finish change t result))
                     (lambda (error) (novablend-change--handle-error change error)))))

(defun novablend-change--key ()
  "A new idempotency key that cannot be guessed, and that fits on the screen."
  (substring (secure-hash 'sha256 (format "%s %s %s %s" (random t) (random t) (random t)
                                          (float-time)))
             0 32))

(defun novablend-change--finish (change is-done &optional result)
  "Report the outcome of CHANGE: IS-DONE, with RESULT."
  (let ((verbs (cdr (assoc (plist-get change :method) novablend-change--verbs))))
    (when (novablend-change--close change (format "%s: %s" (if is-done (car verbs) (cadr verbs))
                                                  (plist-get change :summary)))
      (when (and is-done (plist-get change :done))
        (funcall (plist-get change :done) result)))))

(defun novablend-change--close (change text)
  "Remove CHANGE, report TEXT, and return non-nil.
Do nothing if CHANGE was removed before: two calls may have found its outcome."
  (when (memq change novablend-changes)
    (setq novablend-changes (delq change novablend-changes))
    (message "NovaBlend: %s" text)
    (novablend-change--show)
    t))

(defun novablend-change--show ()
  "Show the present doubts in all buffers with appointments."
  (novablend-view--follow "appointments"))

;;;; Doubts

(defun novablend-change--uncertain-p (error)
  "Whether the change that failed with ERROR may have been made."
  (or (equal (novablend--error-name error) "bookingInDoubt")
      (memql (plist-get error :code) (list novablend--ended novablend--silent))
      ;; The call was interrupted.
      (and (memql (plist-get error :code) '(-32001 -32800))
           (eq (plist-get (plist-get error :data) :retryable) :json-false))))

(defun novablend-change--handle-error (change error)
  "Report ERROR, with which CHANGE failed."
  (if (not (novablend-change--uncertain-p error))
      (novablend-change--close change (concat (novablend-error-text error)
                                              (novablend-change--alternatives error)))
    ;; A request may have joined an earlier one, which has a different key.
    (when-let* ((key (plist-get (plist-get error :data) :idempotencyKey)))
      (plist-put change :key key))
    (novablend-change--doubt change (novablend-error-text error))
    ;; The journal of the program has the change, if it was sent.
    (when (eql (plist-get error :code) novablend--ended) (novablend-resolve))))

(defun novablend-change--alternatives (error)
  "The free times that ERROR names, as a text."
  (let ((times (novablend-list (plist-get (plist-get error :data) :alternatives))))
    (if times
        (concat ".  Free: " (mapconcat (lambda (time) (novablend-line (substring time 0 16)))
                                       times ", "))
      "")))

(defun novablend-change--doubt (change reason)
  "Record that CHANGE is in doubt because of REASON, and say how to resolve it."
  (when (and (memq change novablend-changes) (not (equal (plist-get change :doubt) reason)))
    (plist-put change :doubt reason)
    (message "NovaBlend: in doubt: %s.  M-x novablend-resolve finds out what happened (%s)"
             (novablend-change-title change) reason)
    (novablend-change--show)))

(defun novablend-change-title (change)
  "What CHANGE, which is in doubt, is, with its key."
  (format "%s (key %s)" (plist-get change :summary) (plist-get change :key)))

(defun novablend-change-sync (preview)
  "Add what is in doubt according to PREVIEW, a dry run of appointments/resolve.
Such a change may be of an earlier session, or of a different program.  Remove
what was added before and is not in doubt any more."
  (let ((resolutions (novablend-list (plist-get preview :resolutions))))
    (setq novablend-changes
          (seq-filter (lambda (change)
                        (or (plist-get change :params)
                            (novablend-change--in-p change resolutions)))
                      novablend-changes))
    (mapc #'novablend-change--find resolutions)))

(defun novablend-change--in-p (change resolutions)
  "Whether CHANGE is one of RESOLUTIONS."
  (seq-some (lambda (each) (equal (plist-get each :idempotencyKey) (plist-get change :key)))
            resolutions))

(defun novablend-change--find (resolution)
  "The change that RESOLUTION is about.
A change of an earlier session is added to `novablend-changes'."
  (let* ((key (plist-get resolution :idempotencyKey))
         (method (cdr (assoc (plist-get resolution :action) novablend-change--methods))))
    (or (seq-find (lambda (change) (equal (plist-get change :key) key)) novablend-changes)
        (let ((change (list :key key :method method :params nil :done nil :doubt "from an earlier call"
                            :summary (format "Earlier %s of %s"
                                             (novablend-line (plist-get resolution :action))
                                             (novablend-line
                                              (plist-get (plist-get resolution :appointment)
                                                         :start))))))
          (push change novablend-changes)
          change))))

(defun novablend-change--follow (resource)
  "Resolve what is in doubt if RESOURCE has changed.
The list may show its outcome."
  (when (and (equal resource "appointments") (novablend-doubts))
    (novablend-resolve t)))

(add-hook 'novablend--change-functions #'novablend-change--follow)

(defun novablend-change-doubt-note ()
  "Return a note about what is in doubt; nil if nothing is."
  (when-let* ((count (length (novablend-doubts)))
              ((> count 0)))
    (propertize
     (format "%s in doubt.  M-x novablend-resolve finds out what happened; nothing is sent again."
             (if (= count 1) (concat (novablend-change-title (car (novablend-doubts))) " is")
               (format "%d changes are" count)))
     'face 'novablend-doubt)))

(provide 'novablend-change)
;;; novablend-change.el ends here
