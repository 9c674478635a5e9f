;;; novablend-resolve.el --- Find out what happened  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-resolve' asks for the outcome of bookings and changes in doubt, and
;; sends none of them again.

;;; Code:

(require 'novablend-change)
(require 'seq)

;;;###autoload
(defun novablend-resolve (&optional is-automatic)
  "Find out the outcome of each booking and change in doubt.
Nothing is sent again.  If IS-AUTOMATIC, do not say that nothing is in doubt."
  (interactive)
  (novablend--call
   "appointments/resolve" nil
   (lambda (result)
     (let ((resolutions (novablend-list (plist-get result :resolutions)))
           (doubts (novablend-doubts)))
       (unless (or resolutions doubts is-automatic)
         (message "NovaBlend: nothing is in doubt"))
       (novablend-resolve--apply resolutions doubts)))))

(defun novablend-resolve--apply (resolutions doubts)
  "Apply RESOLUTIONS, and verify each of DOUBTS that they do not contain."
  (dolist (resolution resolutions)
    (novablend-resolve--report (novablend-change--find resolution) resolution))
  (dolist (change doubts)
    (unless (novablend-change--in-p change resolutions)
      (novablend-resolve--verify change))))

(defun novablend-resolve--report (change resolution)
  "Report the outcome of CHANGE according to RESOLUTION."
  (let ((outcome (plist-get resolution :outcome))
        (reason (novablend-line (or (plist-get resolution :reason) ""))))
    (pcase outcome
      ("inDoubt" (novablend-change--doubt change reason))
      ((or "booked" "rescheduled" "cancelled")
       (novablend-change--finish change t resolution))
      ((or "notBooked" "notRescheduled" "notCancelled")
       (novablend-change--finish change nil))
      (_ (novablend-change--close change (format "%s: %s" (plist-get change :summary) reason))))))

(defun novablend-resolve--verify (change)
  "Find out what happened to CHANGE, which the program does not report as open.
It was closed when the program started, or never sent."
  (novablend--call
   "appointments/resolve" (list :idempotencyKey (plist-get change :key))
   (lambda (result)
     (if-let* ((resolution (car (novablend-list (plist-get result :resolutions)))))
         (novablend-resolve--report change resolution)
       (novablend-change--finish change nil)))
   (lambda (error) (novablend-change--doubt change (novablend-error-text error)))))

(defun novablend-resolve-discard (change)
  "Discard CHANGE, which is in doubt; its outcome stays unknown."
  (when (yes-or-no-p (format "Discard \"%s\" without knowing whether it was done? "
                             (novablend-change-title change)))
    (novablend--call "appointments/resolve" (list :discard (plist-get change :key))
                     (lambda (result)
                       (seq-do (apply-partially #'novablend-resolve--report change)
                               (plist-get result :resolutions))))))

(provide 'novablend-resolve)
;;; novablend-resolve.el ends here
