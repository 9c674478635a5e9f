;;; novablend-view.el --- What the buffers of NovaBlend share  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each buffer loads its lists asynchronously, shows where they come from and how
;; old they are, and follows their changes.

;;; Code:

(require 'novablend-rpc)
(require 'seq)
(require 'subr-x)

(defvar-local novablend-view--resources nil
  "The resources that this buffer shows.")

(defvar-local novablend-view--load nil
  "The function that loads the contents of this buffer.")

(defvar-local novablend-view--provenance nil
  "Where the list in this buffer came from, and when the buffer received it.")

(defvar-local novablend-view--problem nil
  "Why this buffer could not be loaded the last time, as a text.")

(defvar-local novablend-view--loading nil
  "Whether the contents of this buffer are being loaded.")

(defvar-local novablend-view--generation 0
  "The number of the last load.")

(defvar novablend-view--restarted 0
  "When the program was last started again automatically.")

(defun novablend-view-buffers ()
  "All live buffers of NovaBlend that show lists."
  (seq-filter (lambda (buffer) (buffer-local-value 'novablend-view--load buffer))
              (buffer-list)))

(defun novablend-view-setup (load &rest resources)
  "Make this buffer show RESOURCES; LOAD is a function to load them."
  (setq novablend-view--load load
        novablend-view--resources resources
        ;; Next to the name, the state is visible in a narrow window, too.
        mode-line-buffer-identification
        (append (propertized-buffer-identification "%b") '((:eval (novablend-view--status)))))
  (setq-local revert-buffer-function #'novablend-view--revert)
  (add-hook 'kill-buffer-hook #'novablend-view--forget nil t))

(defun novablend-view-open (name mode)
  "Show the buffer with NAME, in MODE, and make it current."
  (let ((buffer (get-buffer-create name)))
    (with-current-buffer buffer
      (unless (derived-mode-p mode) (funcall mode)))
    (pop-to-buffer-same-window buffer)))

(defun novablend-view--revert (&rest _)
  "Load the contents of this buffer again."
  (novablend-view-refresh))

(defun novablend-view-refresh ()
  "Load the contents of this buffer."
  (funcall novablend-view--load)
  (mapc #'novablend--subscribe novablend-view--resources))

(defun novablend-view--forget ()
  "End the subscriptions that only this buffer needs."
  (let ((others (remq (current-buffer) (novablend-view-buffers))))
    (dolist (resource novablend-view--resources)
      (unless (seq-some (lambda (buffer)
                          (member resource
                                  (buffer-local-value 'novablend-view--resources buffer)))
                        others)
        (novablend--unsubscribe resource)))))

;;;; Loading

(defun novablend-view-gather (requests then)
  "Send REQUESTS, each a method and its parameters, and pass their results to THEN.
THEN runs in this buffer.  It does not run if the buffer is killed or loaded
again, or if a request fails; then the buffer retains its contents.  A request
with a third element that is not nil may fail; then its result is nil."
  (let* ((buffer (current-buffer))
         (generation (cl-incf novablend-view--generation))
         (results (make-vector (length requests) nil))
         (missing (length requests))
         (current-p (lambda ()
                      (and (buffer-live-p buffer)
                           (= generation (buffer-local-value 'novablend-view--generation
                                                             buffer))))))
    (setq novablend-view--loading t)
    (force-mode-line-update)
    (seq-do-indexed
     (lambda (request index)
       (let ((receive (lambda (result)
                        (when (funcall current-p)
                          (aset results index result)
                          (when (zerop (cl-decf missing))
                            (with-current-buffer buffer
                              (novablend-view--finish nil)
                              (apply then (append results nil)))))))
             (fail (lambda (error)
                     (when (funcall current-p)
                       (with-current-buffer buffer
                         (cl-incf novablend-view--generation)
                         (novablend-view--finish (novablend-error-text error))
                         (novablend--show-error error))))))
         (novablend--call (car request) (cadr request) receive
                          (if (nth 2 request) (lambda (_) (funcall receive nil)) fail))))
     requests)))

(defun novablend-view--finish (problem)
  "Record that loading has ended, with PROBLEM or without."
  (setq novablend-view--loading nil
        novablend-view--problem problem)
  (force-mode-line-update))

(defun novablend-view-set-provenance (provenance)
  "Record PROVENANCE of the list in this buffer."
  (setq novablend-view--provenance
        (and provenance (append provenance (list :received (float-time))))))

;;;; Where a list comes from

(defun novablend-view-cached-p (provenance)
  "Whether PROVENANCE is that of a list that the server has not confirmed."
  (member (plist-get provenance :source) '("cache" "none")))

(defun novablend-view--age (provenance)
  "The age of a list with PROVENANCE, in seconds; nil if it is not known."
  (when-let* ((age (plist-get provenance :ageSeconds)))
    (+ age (floor (- (float-time) (plist-get provenance :received))))))

(defun novablend-view--age-text (seconds)
  "Describe SECONDS, such as \"5 min\"."
  (cond ((< seconds 60) (format "%d s" seconds))
        ((< seconds 3600) (format "%d min" (/ seconds 60)))
        ((< seconds 172800) (format "%d h" (/ seconds 3600)))
        (t (format "%d days" (/ seconds 86400)))))

(defun novablend-view--status ()
  "The state of the list in this buffer, for the mode line."
  (let* ((provenance novablend-view--provenance)
         (age (novablend-view--age provenance)))
    (cond
     (novablend-view--loading " loading")
     (novablend-view--problem (propertize " failed" 'face 'novablend-stale))
     ((novablend-view-cached-p provenance)
      (propertize (if age (format " cached, %s old" (novablend-view--age-text age)) " cached")
                  'face 'novablend-stale))
     ((member (car novablend-view--resources) novablend--live) " live")
     (t ""))))

(defun novablend-view-notes ()
  "The lines below the list in this buffer.
They say where it comes from, if not from the server."
  (let ((provenance novablend-view--provenance))
    (mapcar
     (lambda (note) (propertize note 'face 'novablend-stale))
     (delq nil
           (list
            (when (novablend-view-cached-p provenance)
              (concat (novablend-view--cached-note provenance) "  Type g to try again."))
            (when (eq (plist-get provenance :complete) :json-false)
              "The list may have gaps: the whole list has not been loaded from the server yet.")
            (when-let* ((warning (plist-get provenance :warning)))
              (concat (novablend-line warning) ".")))))))

(defun novablend-view--cached-note (provenance)
  "Say how old a cached list with PROVENANCE is, and why it is shown."
  (let ((age (novablend-view--age provenance))
        (reason (plist-get provenance :serverError)))
    (concat
     (if age (format "From the cache, %s old." (novablend-view--age-text age))
       "Nothing is cached.")
     (when reason (format "  The server could not deliver it: %s." (novablend-line reason))))))

(defun novablend-view-cached-note (result)
  "Say how old the list in RESULT is, and why, or nil if the server confirmed it."
  (let ((provenance (plist-get result :provenance)))
    (when (novablend-view-cached-p provenance)
      (novablend-view--cached-note (append provenance (list :received (float-time)))))))

(defun novablend-view-insert-notes (notes)
  "Insert NOTES below the list in this buffer, filled to its window."
  (when notes
    (let ((inhibit-read-only t)
          (fill-column (max 20 (- (novablend-view-width) 2))))
      (save-excursion
        (goto-char (point-max))
        (dolist (note notes)
          (insert "\n")
          (let ((start (point)))
            (insert note "\n")
            (fill-region start (point)))))
      (set-buffer-modified-p nil))))

(defun novablend-view-width ()
  "The width of the window of this buffer in columns."
  (if-let* ((window (get-buffer-window nil t))) (window-body-width window) 80))

;;;; Changes and restarts

(defun novablend-view--follow (resource)
  "Load the buffers again that show RESOURCE, which has changed."
  (dolist (buffer (novablend-view-buffers))
    (when (member resource (buffer-local-value 'novablend-view--resources buffer))
      (with-current-buffer buffer (novablend-view-refresh)))))

(defun novablend-view--recover ()
  "Start the program again for the buffers with lists, if there are any.
Do so at most once in 30 s, because a program that ends at once would
otherwise be started again and again."
  (if (or (null (novablend-view-buffers)) (< (- (float-time) novablend-view--restarted) 30))
      (message "NovaBlend: %s" (novablend-error-text (list :code novablend--ended)))
    (setq novablend-view--restarted (float-time))
    (message "NovaBlend: the program has ended (%s); it was started again" novablend--exit)
    (mapc (lambda (buffer) (with-current-buffer buffer (novablend-view-refresh)))
          (novablend-view-buffers))))

(add-hook 'novablend--change-functions #'novablend-view--follow)
(add-hook 'novablend--exit-functions #'novablend-view--recover)

;;;###autoload
(defun novablend-restart ()
  "Start the program again, for example after an update or a change of options."
  (interactive)
  (novablend-stop)
  (mapc (lambda (buffer) (with-current-buffer buffer (novablend-view-refresh)))
        (novablend-view-buffers)))

(provide 'novablend-view)
;;; novablend-view.el ends here
