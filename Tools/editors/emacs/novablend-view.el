;;; novablend-view.el --- What the buffers of NovaBlend share  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each buffer loads its lists asynchronously, shows where they come from and how
;; old they are, and follows their changes.  Its keys work in evil, too.

;;; Code:

(require 'novablend-rpc)
(require 'novablend-text)
(require 'seq)
(require 'subr-x)
(require 'tabulated-list)

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

(defvar novablend-view--pause 30
  "How many seconds must pass between two automatic starts.
A program that ends at once would otherwise be started again and again.")

(defvar novablend-view--retry nil
  "When the program is started again, or nil.")

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
        (append (propertized-buffer-identification "%b") '((:eval (novablend-view--status))))
        ;; A name that is written from right to left would reorder its whole paragraph.
        bidi-paragraph-direction 'left-to-right)
  (setq-local revert-buffer-function #'novablend-view--revert)
  (add-hook 'kill-buffer-hook #'novablend-view--forget nil t)
  (add-hook 'evil-local-mode-hook #'novablend-view--define-evil-keys nil t))

(defun novablend-view-open (buffer mode)
  "Show BUFFER, which may be a name, in MODE, and make it current."
  (let ((buffer (get-buffer-create buffer)))
    (with-current-buffer buffer
      (unless (derived-mode-p mode) (funcall mode)))
    (pop-to-buffer-same-window buffer)))

;;;; Keys in evil

(declare-function evil-define-key* "ext:evil-core")
(declare-function evil-normalize-keymaps "ext:evil-core")

(defconst novablend-view--evil-keys '(("j" . "J") ("g" . "gr"))
  "Keys that move point in evil, each with a different key for its command.")

(defun novablend-view--define-evil-keys ()
  "Define the keys of this buffer in the states of evil, which would hide them."
  (when (bound-and-true-p evil-local-mode)
    (let* ((map (current-local-map))
           ;; The keys of parent modes that evil does not have in another form.
           (events (list ?q ?g ?S ??)))
      (map-keymap-internal (lambda (event _) (push event events)) map)
      (dolist (event events)
        (let ((command (lookup-key map (vector event))))
          (when (commandp command) (novablend-view--define-evil-key map event command)))))
    (evil-normalize-keymaps)))

(defun novablend-view--define-evil-key (map event command)
  "Define the key EVENT of MAP as COMMAND in evil, or a different key."
  (let ((replacement (cdr (assoc (key-description (vector event)) novablend-view--evil-keys))))
    (evil-define-key* '(normal visual motion) map
      (if replacement (kbd replacement) (vector event)) command)))

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
         (in-buffer (lambda (function &rest arguments)
                      (when (and (buffer-live-p buffer)
                                 (= generation (buffer-local-value 'novablend-view--generation
                                                                   buffer)))
                        (with-current-buffer buffer (apply function arguments)))))
         (results (make-vector (length requests) nil))
         (missing (number-sequence 0 (1- (length requests)))))
    (setq novablend-view--loading t)
    (force-mode-line-update)
    (seq-do-indexed
     (lambda (request index)
       (let ((receive (lambda (result)
                        (aset results index result)
                        (setq missing (delq index missing))
                        (unless missing
                          (novablend-view--finish nil)
                          (apply then (append results nil)))))
             (is-optional (nth 2 request)))
         (novablend--call (car request) (cadr request)
                          (apply-partially in-buffer receive)
                          (apply-partially
                           in-buffer
                           (lambda (error)
                             (if is-optional (funcall receive nil)
                               (novablend-view--fail error)))))))
     requests)))

(defun novablend-view--fail (error)
  "Show ERROR, with which a request of this buffer has failed."
  ;; The answer of a program that was silent may still arrive.
  (unless (eql (plist-get error :code) novablend--silent)
    (cl-incf novablend-view--generation))
  (when novablend-view--loading
    (novablend-view--finish (novablend-error-text error))
    (novablend--show-error error)
    (when (zerop (buffer-size))
      (novablend-view-insert-notes
       (list (propertize (format "%s.  Type %s to try again." novablend-view--problem
                                 (novablend-key #'revert-buffer))
                         'face 'novablend-stale))))))

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
     ((and novablend-view--retry (not (novablend--running-p)))
      (propertize (format-time-string " ended, starts again at %T" novablend-view--retry)
                  'face 'novablend-stale))
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
              (format "%s  Type %s to try again."
                      (novablend-view--cached-note provenance) (novablend-key #'revert-buffer)))
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
  "The width of the window of this buffer in columns of its font."
  (if-let* ((window (get-buffer-window nil t)))
      (/ (window-body-width window t) (novablend-text-column-pixels))
    80))

;;;; Rows

(defun novablend-view-row (values &optional face)
  "VALUES, texts or nil, as a row of the list in this buffer, with FACE.
Each text leaves a column free, because only then `tabulated-list-mode' aligns
the next one to a pixel."
  (vconcat
   (seq-mapn (lambda (value column)
               (let ((line (propertize (novablend-line (or value "")) 'face (or face 'default)))
                     (width (nth 1 column)))
                 (if (zerop width) line (novablend-fit line (1- width)))))
             values tabulated-list-format)))

;;;; Changes and restarts

(defun novablend-view--follow (resource)
  "Load the buffers again that show RESOURCE, which has changed."
  (dolist (buffer (novablend-view-buffers))
    (when (member resource (buffer-local-value 'novablend-view--resources buffer))
      (with-current-buffer buffer (novablend-view-refresh)))))

(defun novablend-view--recover ()
  "Start the program again for the buffers with lists, if there are any.
If that has happened a short time ago, do so later."
  (let ((wait (- (+ novablend-view--restarted novablend-view--pause) (float-time))))
    (cond ((null (novablend-view-buffers))
           (message "NovaBlend: %s" (novablend-error-text (list :code novablend--ended))))
          ((<= wait 0)
           (message "NovaBlend: the program has ended (%s); it was started again" novablend--exit)
           (novablend-view--start-again))
          (t
           (unless novablend-view--retry
             (setq novablend-view--retry (time-add nil wait))
             (run-at-time wait nil #'novablend-view--start-again))
           (message "NovaBlend: the program has ended again (%s); it is started again at %s"
                    novablend--exit (format-time-string "%T" novablend-view--retry))
           (force-mode-line-update t)))))

(defun novablend-view--start-again ()
  "Load all buffers, for which the program is started again if it has ended."
  (setq novablend-view--retry nil
        novablend-view--restarted (float-time))
  (novablend-view--refresh-all))

(defun novablend-view--refresh-all ()
  "Load all buffers again."
  (mapc (lambda (buffer) (with-current-buffer buffer (novablend-view-refresh)))
        (novablend-view-buffers)))

(add-hook 'novablend--change-functions #'novablend-view--follow)
(add-hook 'novablend--exit-functions #'novablend-view--recover)

;;;###autoload
(defun novablend-restart ()
  "Start the program again, for example after an update or a change of options."
  (interactive)
  (novablend-stop)
  (novablend-view--refresh-all))

(provide 'novablend-view)
;;; novablend-view.el ends here
