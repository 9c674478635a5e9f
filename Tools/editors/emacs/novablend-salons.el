;;; novablend-salons.el --- The list of salons  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `novablend-salons' lists the salons.  RET shows the week of a salon.

;;; Code:

(require 'novablend-book)
(require 'novablend-view)
(require 'novablend-week)
(require 'tabulated-list)

(declare-function novablend-appointments "novablend-appointments")

(defvar novablend-salons-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'novablend-salons-week)
    (define-key map "b" #'novablend-salons-book)
    (define-key map "a" #'novablend-appointments)
    (define-key map "/" #'novablend-salons-search)
    map)
  "The keys of `novablend-salons-mode'.")

(defvar-local novablend-salons--list nil "The salons in this buffer.")
(defvar-local novablend-salons--query "" "Words in the names or places of these salons.")

(define-derived-mode novablend-salons-mode tabulated-list-mode "Salons"
  "The list of salons.

\\{novablend-salons-mode-map}"
  (setq tabulated-list-format [("Name" 20 t) ("Place" 30 t) ("Phone" 16 t)
                               ("Time zone" 18 t) ("Hours" 0 t)]
        tabulated-list-padding 1)
  (tabulated-list-init-header)
  (novablend-view-setup #'novablend-salons--load "salons"))

;;;###autoload
(defun novablend-salons ()
  "List the salons."
  (interactive)
  (novablend-view-open "*NovaBlend salons*" 'novablend-salons-mode)
  (novablend-view-refresh))

(defun novablend-salons--load ()
  "Load the salons."
  (novablend-view-gather
   `(("salons/list"
      (:query ,novablend-salons--query :limit ,novablend-read-limit
       :fields ["name" "location" "hours" "phone" "time_zone" "services" "staff"])))
   #'novablend-salons--show))

(defun novablend-salons--show (result)
  "Show RESULT of salons/list."
  (novablend-view-set-provenance (plist-get result :provenance))
  (setq novablend-salons--list (novablend-list (plist-get result :salons))
        tabulated-list-entries
        (mapcar (lambda (salon)
                  (list (plist-get salon :id)
                        (novablend-view-row
                         (mapcar (apply-partially #'plist-get salon)
                                 '(:name :location :phone :time_zone :hours)))))
                (plist-get result :salons)))
  (tabulated-list-print t)
  (novablend-view-insert-notes
   (append (when (plist-get result :nextCursor)
             (list (format "%d of %d salons.  Type %s to search."
                           (length novablend-salons--list) (plist-get result :total)
                           (novablend-key #'novablend-salons-search))))
           (when-let* ((hint (plist-get result :hint))) (list (novablend-line hint)))
           (novablend-view-notes))))

(defun novablend-salons--at-point ()
  "The salon at point."
  (let ((id (tabulated-list-get-id)))
    (or (and id (seq-find (lambda (salon) (equal (plist-get salon :id) id))
                          novablend-salons--list))
        (user-error "There is no salon here"))))

(defun novablend-salons-search (words)
  "List only the salons with WORDS in their names or places."
  (interactive (list (read-string "Words in the name or place (empty for all): "))
               novablend-salons-mode)
  (setq novablend-salons--query words)
  (novablend-view-refresh))

(defun novablend-salons-week ()
  "Show the week of the salon at point."
  (interactive nil novablend-salons-mode)
  (novablend-week (novablend-salons--at-point)))

(defun novablend-salons-book ()
  "Book an appointment at the salon at point."
  (interactive nil novablend-salons-mode)
  (novablend-book (novablend-salons--at-point)))

(provide 'novablend-salons)
;;; novablend-salons.el ends here
