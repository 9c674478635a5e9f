;;; novablend-read.el --- Prompts whose candidates arrive later  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A prompt opens at once, and its candidates are completed when they have arrived.  So Emacs does
;; not wait for a server, and a late answer does not interrupt typing.

;;; Code:

(require 'novablend-view)
(require 'seq)
(require 'subr-x)

(declare-function icomplete-exhibit "icomplete")

(defvar novablend-read--history nil "What was entered at prompts.")
(defvar novablend-read--phone nil
  "The phone number that was entered last.
It is not in a history, because `savehist-mode' would write that to a file.")

(defun novablend-read (prompt category load &optional first)
  "Read a candidate from LOAD with PROMPT, and return its value.
LOAD is called with a text and two functions.  The first function takes the
candidates, each a list of a name, its value, and an annotation.  It also takes
a note about them, or nil, and whether there are more.  If there are, LOAD is
called again with each text that is entered.  The second function takes an
error.  CATEGORY is that of the completion.  FIRST are candidates that are known
already."
  (let* ((candidates first)
         (default (and (null (cdr first)) (caar first)))
         (minibuffer nil)
         (texts nil)
         (request (lambda (text)
                    (push text texts)
                    (funcall load text
                             (lambda (found &optional note more)
                               (setq candidates (novablend-read--add found candidates))
                               (unless more (setq texts t))
                               (when (buffer-live-p minibuffer)
                                 (with-current-buffer minibuffer
                                   (novablend-read--tell (or note (novablend-read--count found))))))
                             ;; In a prompt, the message appears next to what was entered.
                             #'novablend--show-error)))
         (table (lambda (string predicate action)
                  (unless (or (eq texts t) (member string texts) (consp action))
                    (funcall request string))
                  (if (eq action 'metadata)
                      (novablend-read--metadata category candidates)
                    (complete-with-action action candidates string predicate)))))
    (funcall request "")
    (let* ((completion-styles (append completion-styles '(substring)))
           (name (minibuffer-with-setup-hook
                     (lambda () (setq minibuffer (current-buffer)))
                   (completing-read (format-prompt prompt default) table nil t nil
                                    'novablend-read--history default))))
      (cadr (or (assoc name candidates) (user-error "Nothing was chosen"))))))

(defun novablend-read--metadata (category candidates)
  "The metadata of a completion of CATEGORY with CANDIDATES."
  `(metadata (category . ,category)
             (display-sort-function . identity)
             (annotation-function
              . ,(lambda (name)
                   (if-let* ((text (nth 2 (assoc name candidates)))) (concat "  " text) "")))))

(defun novablend-read--count (found)
  "Say how many choices FOUND has."
  (pcase (length found)
    (0 "There are no choices")
    (1 "1 choice")
    (count (format "%d choices" count))))

(defun novablend-read--add (found candidates)
  "Return CANDIDATES with those of FOUND that are new.
A name that several candidates have is followed by the annotation."
  (let ((all (reverse candidates)))
    (dolist (candidate found)
      (let ((same (assoc (car candidate) all)))
        (cond ((null same) (push candidate all))
              ((not (equal (cadr same) (cadr candidate)))
               (push (cons (format "%s (%s)" (car candidate) (nth 2 candidate)) (cdr candidate))
                     all)))))
    (nreverse all)))

(defun novablend-read--tell (text)
  "Show TEXT at the end of this minibuffer, whose candidates have arrived."
  (if (and (bound-and-true-p icomplete-mode) (active-minibuffer-window))
      ;; Icomplete shows candidates only after a command.
      (with-selected-window (active-minibuffer-window) (icomplete-exhibit))
    (minibuffer-message "%s" text)))

(defun novablend-read--words (&rest words)
  "WORDS that are not nil, separated by commas."
  (string-join (mapcar #'novablend-line (delq nil words)) ", "))

;;;; What a prompt lets users choose

(defconst novablend-read-limit 200
  "How many salons are loaded at once; Emacs would be slow to show thousands.")

(defun novablend-read-salon ()
  "Read a salon, and return it with its services and staff."
  (novablend-read
   "Salon" 'novablend-salon
   (lambda (text success failure)
     (novablend--call
      "salons/list"
      (list :query text :limit novablend-read-limit
            :fields ["name" "location" "hours" "services" "staff"])
      (lambda (result)
        (funcall success (mapcar #'novablend-read--salon (plist-get result :salons))
                 (novablend-view-cached-note result)
                 ;; A longer text may find salons that were not loaded for a part of it.
                 (or (plist-get result :nextCursor) (not (equal text "")))))
      failure))))

(defun novablend-read--salon (salon)
  "SALON as a candidate."
  (list (novablend-line (plist-get salon :name)) salon
        (novablend-read--words (plist-get salon :location) (plist-get salon :hours))))

(defun novablend-read-service (salon)
  "Read a service of SALON, and return its id; nil if it has no services."
  (when-let* ((services (novablend-list (plist-get salon :services))))
    (novablend-read
     "Service" 'novablend-service #'ignore (mapcar #'novablend-read--service services))))

(defun novablend-read--service (service)
  "SERVICE as a candidate."
  (list (novablend-line (plist-get service :name)) (plist-get service :id)
        (novablend-read--words (format "%d min" (plist-get service :minutes))
                               (plist-get (plist-get service :price) :text))))

(defun novablend-read-staff (salon service &optional time)
  "Read a staff member of SALON for SERVICE, and return the id.
Return nil for anyone.  The annotations say who is free at TIME, if it is given,
and otherwise who works when."
  (when-let* ((staff (novablend-list (plist-get salon :staff))))
    (let ((id (plist-get salon :id))
          (service (and service (list :serviceId service))))
      (novablend-read
       "Staff" 'novablend-staff
       (lambda (_ success failure)
         (if time
             (novablend--call
              "salons/availability"
              `(:salonId ,id :explain ,time :limit 1 ,@service)
              (lambda (result)
                (let ((known (plist-get (plist-get result :explanation) :staff)))
                  (funcall success (mapcar #'novablend-read--free-member known))))
              failure)
           (novablend--call
            "staff/list" (append (list :salonId id) service)
            (lambda (result)
              (funcall success (mapcar #'novablend-read--member (plist-get result :staff))
                       (novablend-view-cached-note result)))
            failure)))
       '(("anyone" nil "the salon chooses"))))))

(defun novablend-read--member (member)
  "MEMBER of the staff as a candidate."
  (list (novablend-line (plist-get member :name)) (plist-get member :id)
        (novablend-line (or (plist-get member :hours) ""))))

(defun novablend-read--free-member (member)
  "MEMBER of an explanation as a candidate."
  (list (novablend-line (or (plist-get member :name) (plist-get member :id)))
        (plist-get member :id)
        (if (eq (plist-get member :free) t) "free"
          (novablend-line (or (plist-get member :reason) "not free")))))

(defun novablend-read-time (prompt salon options)
  "Read a free time with PROMPT, and return it as an `:appointmentTime'.
SALON is an id.  OPTIONS are more parameters of salons/availability."
  (novablend-read
   prompt 'novablend-time
   (lambda (_ success failure)
     (novablend--call
      "salons/availability"
      `(:salonId ,salon :days ,novablend-book-days :onlyFree t :fields ["weekday" "slots"]
        ,@options)
      (lambda (result)
        (funcall success (seq-mapcat (lambda (day)
                                       (novablend-read--times day (plist-get result :timeZone)))
                                     (plist-get result :days))
                 (novablend-view-cached-note result)))
      failure))))

(defun novablend-read--times (day zone)
  "The free times of DAY as candidates; ZONE is the time zone of the salon."
  (mapcar
   (lambda (slot)
     (let ((count (or (plist-get slot :free) 0)))
       (list (format "%s %s %s" (substring (or (plist-get day :weekday) "   ") 0 3)
                     (plist-get day :date) (plist-get slot :time))
             (plist-get slot :appointmentTime)
             (novablend-read--words
              (cond ((equal (plist-get slot :state) "unconfirmed") "may be taken")
                    ((> count 1) (format "%d free" count)))
              zone))))
   (novablend-slots day)))

(defun novablend-slots (day)
  "The slots of DAY, each with its time of day as the member `:time'.
When the clock is set back, the second of two equal times has its offset."
  (let ((times nil))
    (seq-map (lambda (slot)
               (let* ((start (plist-get slot :appointmentTime))
                      (time (substring start 11 16)))
                 (when (member time times) (setq time (concat time (substring start 19))))
                 (push time times)
                 (append (list :time time) slot)))
             (plist-get day :slots))))

(defun novablend-name (list id)
  "The name of the element of LIST with ID."
  (plist-get (seq-find (lambda (each) (equal (plist-get each :id) id)) list) :name))

(defun novablend-read-phone ()
  "Read a phone number."
  (let ((default (or novablend-phone novablend-read--phone)))
    (setq novablend-read--phone (read-string (format-prompt "Phone" default) nil t default))))

(provide 'novablend-read)
;;; novablend-read.el ends here
