;;; lint.el --- Check the files of the plugin  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Usage: emacs --batch -Q -L . -l test/lint.el DIRECTORY
;;
;; Byte-compiles each file, and runs checkdoc, package-lint, and relint.  Exits with 1
;; if there is any finding.

;;; Code:

(require 'bytecomp)
(require 'checkdoc)
(require 'package)
(require 'seq)

(defvar lint-findings 0 "The number of findings.")

(defvar lint-output (file-name-as-directory (make-temp-file "lint" t))
  "The directory of compiled files.")

(defun lint-report (file checker text)
  "Report that CHECKER has found TEXT in FILE."
  (setq lint-findings (1+ lint-findings))
  (princ (format "%s: %s: %s\n" (file-name-nondirectory file) checker text)))

(defun lint-compile (file)
  "Byte-compile FILE into a temporary file."
  (let ((byte-compile-dest-file-function (lambda (_) (concat (make-temp-name lint-output) ".elc")))
        (byte-compile-log-warning-function
         (lambda (text &rest _) (lint-report file "compiler" text))))
    (byte-compile-file file)))

(defun lint-checkdoc (file)
  "Run checkdoc on FILE."
  (let ((checkdoc-create-error-function
         (lambda (text start _end &rest _)
           (lint-report file "checkdoc"
                        (format "%d: %s" (line-number-at-pos start) text))
           nil)))
    (with-current-buffer (find-file-noselect file)
      (checkdoc-current-buffer t))))

(defun lint-package (file main)
  "Run package-lint on FILE, in a package whose main file is MAIN."
  (with-current-buffer (find-file-noselect file)
    (defvar package-lint-main-file)
    (setq-local package-lint-main-file main)
    (pcase-dolist (`(,line ,_ ,_ ,text) (package-lint-buffer))
      ;; Debian 12 has an old package-lint, which believes that Emacs 28 is not released.
      (unless (string-match-p "uninstallable in all released Emacs versions" text)
        (lint-report file "package-lint" (format "%d: %s" line text))))))

(defun lint-relint (file)
  "Run relint on FILE."
  (with-current-buffer (find-file-noselect file)
    (dolist (finding (relint-buffer (current-buffer)))
      (lint-report file "relint" (format "%S" finding)))))

(let* ((directory (expand-file-name (car command-line-args-left)))
       (files (directory-files directory t "\\`novablend.*\\.el\\'"))
       (elpa "/usr/share/emacs/site-lisp/elpa"))
  (setq command-line-args-left nil)
  ;; The packages of Debian.
  (dolist (path (and (file-directory-p elpa) (directory-files elpa t "\\`[a-z]")))
    (add-to-list 'load-path path))
  (require 'package-lint)
  (require 'relint)
  ;; The package needs nothing, so no list of packages has to be downloaded.
  (setq package-archive-contents '((dummy)))
  (dolist (file files)
    (lint-compile file)
    (lint-checkdoc file)
    (lint-package file (expand-file-name "novablend.el" directory))
    (lint-relint file))
  (delete-directory lint-output t)
  (unless (zerop lint-findings) (kill-emacs 1)))

;;; lint.el ends here
