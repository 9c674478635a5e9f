;;; novablend-text.el --- Text from the server in lines and columns  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Names may be in any script.  Here they become single lines that fit into columns, and that do
;; not change the order of the words around them.

;;; Code:

(require 'seq)
(require 'subr-x)

(defun novablend-line (text)
  "TEXT from the server as one line without control characters."
  (replace-regexp-in-string
   "[[:cntrl:]\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+" " " (format "%s" text)))

(defun novablend-list (array)
  "The elements of ARRAY, or nil."
  (append array nil))

(defun novablend-name (list id)
  "The name of the element of LIST with ID."
  (plist-get (seq-find (lambda (each) (equal (plist-get each :id) id)) list) :name))

;;;; Directions

(defun novablend-isolate (text)
  "TEXT from the server as one line that does not reorder what is around it."
  (let ((line (novablend-line text)))
    (if (string-match-p "\\cR" line) (concat "\u2068" line "\u2069") line)))

(defun novablend-words (&rest words)
  "WORDS that are not nil, separated by commas."
  (string-join (mapcar #'novablend-isolate (delq nil words)) ", "))

(defun novablend-salon-title (salon)
  "The name and the place of SALON, because salons may share a name."
  (novablend-words (or (plist-get salon :name) (plist-get salon :id)) (plist-get salon :location)))

(defun novablend-key (command)
  "The key of COMMAND in this buffer, as a text."
  (substring-no-properties (substitute-command-keys (format "\\[%s]" command))))

;;;; Columns

(defun novablend-text--window ()
  "The window of this buffer, or else any one whose text may be measured."
  (or (get-buffer-window nil t) (frame-first-window)))

(defun novablend-text-column-pixels ()
  "The width of a column of this buffer in pixels; 1 in a terminal."
  (if (display-graphic-p) (window-font-width (novablend-text--window)) 1))

(defun novablend-text--columns (text)
  "The width of TEXT in a terminal, where an isolating character takes a column."
  (+ (string-width text) (seq-count (lambda (char) (memq char '(?\u2068 ?\u2069))) text)))

(defun novablend-text-pixels (text)
  "The width of TEXT in this buffer in pixels.
In a graphical frame, a wide character rarely is as wide as two columns."
  (if (or (not (display-graphic-p)) (string-match-p "\\`[[:ascii:]]*\\'" text))
      (* (novablend-text--columns text) (novablend-text-column-pixels))
    (let ((window (novablend-text--window))
          (remapping face-remapping-alist))
      (with-temp-buffer
        (setq-local face-remapping-alist remapping)
        (insert text)
        (save-window-excursion
          (set-window-dedicated-p window nil)
          (set-window-buffer window (current-buffer))
          (car (window-text-pixel-size window (point-min) (point-max))))))))

(defun novablend-fit (text width)
  "TEXT, truncated to WIDTH columns."
  (let* ((width (max 0 width))
         (pixels (* width (novablend-text-column-pixels)))
         (fitting (truncate-string-to-width text width nil nil "…")))
    (while (and (> width 0) (> (novablend-text-pixels fitting) pixels))
      (setq width (1- width)
            fitting (truncate-string-to-width text width nil nil "…")))
    fitting))

(defun novablend-stretch (count column)
  "COUNT spaces that end at COLUMN of this buffer, at the same pixel in each line.
Text after them is ordered separately from the text before them, because Emacs
treats them as the end of a paragraph."
  (propertize (make-string count ?\s)
              'display `(space :align-to (,(* column (novablend-text-column-pixels))))))

(defun novablend-pad (text start width &optional gap)
  "TEXT, truncated and padded so that it takes WIDTH columns from column START.
At least GAP columns remain free, by default 1."
  (let* ((gap (or gap 1))
         (fitting (novablend-fit text (- width gap))))
    (concat fitting
            (novablend-stretch (max gap (- width (novablend-text--columns fitting)))
                               (+ start width)))))

(provide 'novablend-text)
;;; novablend-text.el ends here
