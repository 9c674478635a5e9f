;;; novablend-read.el --- Prompts whose candidates arrive later  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A prompt opens at once, and its candidates are completed when they have arrived.  So Emacs does
;; not wait for a server, and a late answer does not interrupt typing.

;;; Code:

(require 'cl-lib)
(require 'novablend-view)
(require 'seq)
(require 'subr-x)
(require 'ucs-normalize)

(declare-function icomplete-exhibit "icomplete")

(defvar novablend-read--history nil "What was entered at prompts.")
(defvar novablend-read--phone nil
  "The phone number that was entered last.
It is not in a history, because `savehist-mode' would write that to a file.")

(cl-defun novablend-read (prompt category load &key first default is-search)
  "Read a candidate from LOAD with PROMPT, and return its value.
LOAD is called with a text and two functions.  The first function takes the
candidates, each a list of a name, its value, and an annotation.  It also takes
a note about them, or nil, and whether there are more.  The second function
takes an error.  CATEGORY is that of the completion.  FIRST are candidates that
are known already, and DEFAULT is the name of one of them.  If IS-SEARCH, LOAD
is called again with what is entered, unless all candidates are known and some
match: the program may know other words for a candidate."
  (let* ((candidates first)
         (minibuffer nil)
         (found (make-hash-table :test #'equal))
         (is-complete nil)
         (matches (lambda (string)
                    (let ((words (split-string (novablend-read--fold string)))
                          (names (gethash string found)))
                      (seq-filter (lambda (candidate)
                                    (or (novablend-read--match-p words (car candidate))
                                        (member (car candidate) names)))
                                  candidates))))
         (request (lambda (text)
                    (puthash text nil found)
                    (funcall load text
                             (lambda (new &optional note more)
                               (setq candidates (novablend-read--add new candidates))
                               (puthash text (novablend-read--names new candidates) found)
                               (when (string-empty-p text) (setq is-complete (not more)))
                               (when (buffer-live-p minibuffer)
                                 (with-current-buffer minibuffer
                                   (novablend-read--tell (or note (novablend-read--count new))))))
                             ;; In a prompt, the message appears next to what was entered.
                             #'novablend--show-error)))
         (is-asked (lambda (text) (not (eq (gethash text found 'no) 'no))))
         (table (lambda (string predicate action)
                  (when (and is-search (memq action '(nil t)) (not (funcall is-asked string))
                             (not (and is-complete (funcall matches string))))
                    (funcall request string))
                  (pcase action
                    ('metadata (novablend-read--metadata category candidates))
                    ('t (all-completions "" (funcall matches string) predicate))
                    (_ (complete-with-action action candidates string predicate))))))
    (funcall request "")
    (let* ((completion-styles-alist (cons novablend-read--style completion-styles-alist))
           (completion-category-defaults `((,category (styles ,(car novablend-read--style)))
                                           ,@completion-category-defaults))
           (name (minibuffer-with-setup-hook
                     (lambda () (setq minibuffer (current-buffer)))
                   (completing-read (format-prompt prompt default) table nil t nil
                                    'novablend-read--history default))))
      (cadr (or (assoc name candidates) (user-error "Nothing was chosen"))))))

;;;; Matches

(defconst novablend-read--style
  '(novablend-read novablend-read--complete novablend-read--match
                   "Words in any order, without accents, or what the program found.")
  "A completion style whose matches are those of the table.")

(defun novablend-read--fold (text)
  "TEXT without case, accents, and the characters that isolate it."
  (replace-regexp-in-string "[\u0300-\u036f\u2068\u2069]+" ""
                            (ucs-normalize-NFKD-string (downcase text))))

(defun novablend-read--match-p (words name)
  "Whether all WORDS, which are folded, are in NAME."
  (let ((folded (novablend-read--fold name)))
    (seq-every-p (lambda (word) (string-search word folded)) words)))

(defun novablend-read--match (string table predicate _point)
  "All completions of STRING in TABLE that satisfy PREDICATE."
  (all-completions string table predicate))

(defun novablend-read--complete (string table predicate _point)
  "Complete STRING in TABLE, with PREDICATE, as far as it is unambiguous."
  (let* ((names (all-completions string table predicate))
         (completion-ignore-case t)
         (common (and names (try-completion string names))))
    (cond ((null names) nil)
          ((cdr names) (let ((text (if (stringp common) common string)))
                         (cons text (length text))))
          ((equal (car names) string) t)
          (t (cons (car names) (length (car names)))))))

(defun novablend-read--names (new candidates)
  "The names that the values of NEW have among CANDIDATES."
  (mapcar (lambda (candidate)
            (car (seq-find (lambda (each) (equal (cadr each) (cadr candidate))) candidates)))
          new))

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
A name that several candidates have is followed by the annotation, and then by a
number."
  (let ((all (reverse candidates)))
    (dolist (candidate found)
      (unless (seq-find (lambda (each) (equal (cadr each) (cadr candidate))) all)
        (push (cons (novablend-read--unique-name candidate all) (cdr candidate)) all)))
    (nreverse all)))

(defun novablend-read--unique-name (candidate others)
  "A name for CANDIDATE that none of OTHERS has."
  (let* ((name (car candidate))
         (number 1))
    (when (assoc name others)
      (setq name (format "%s (%s)" name (nth 2 candidate))))
    (let ((unique name))
      (while (assoc unique others)
        (setq unique (format "%s %d" name (cl-incf number))))
      unique)))

(defun novablend-read--tell (text)
  "Show TEXT at the end of this minibuffer, whose candidates have arrived."
  (if (and (bound-and-true-p icomplete-mode) (active-minibuffer-window))
      ;; Icomplete shows candidates only after a command.
      (with-selected-window (active-minibuffer-window) (icomplete-exhibit))
    (minibuffer-message "%s" text)))

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
                 (plist-get result :nextCursor)))
      failure))
   :is-search t))

(defun novablend-read--salon (salon)
  "SALON as a candidate."
  (list (novablend-salon-title salon) salon (novablend-line (or (plist-get salon :hours) ""))))

(defun novablend-read-service (salon &optional member)
  "Read a service of SALON, or only of MEMBER, and return its id.
Return nil for no particular service, or if there are none."
  (let ((ids (plist-get (seq-find (lambda (each) (equal (plist-get each :id) member))
                                  (plist-get salon :staff))
                        :services)))
    (when-let* ((services (seq-filter (lambda (service)
                                        (or (null ids)
                                            (seq-contains-p ids (plist-get service :id))))
                                      (plist-get salon :services))))
      (novablend-read
       (novablend-read--at "Service" salon) 'novablend-service #'ignore
       :first (append (mapcar #'novablend-read--service services)
                      '(("no particular service" nil "only a time")))
       :default (unless (cdr services) (car (novablend-read--service (car services))))))))

(defun novablend-read--at (what salon)
  "The prompt for WHAT at SALON."
  (format "%s at %s" what (novablend-salon-title salon)))

(defun novablend-read--service (service)
  "SERVICE as a candidate."
  (list (novablend-isolate (plist-get service :name)) (plist-get service :id)
        (novablend-words (format "%d min" (plist-get service :minutes))
                               (plist-get (plist-get service :price) :text))))

(defun novablend-read-staff (salon service &optional time)
  "Read a staff member of SALON for SERVICE, and return the id.
Return nil for anyone.  The annotations say who is free at TIME, if it is given,
and otherwise who works when."
  (when-let* ((staff (novablend-list (plist-get salon :staff))))
    (let ((id (plist-get salon :id))
          (service (and service (list :serviceId service))))
      (novablend-read
       (novablend-read--at "Staff" salon) 'novablend-staff
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
       :first '(("anyone" nil "the salon chooses")) :default "anyone"))))

(defun novablend-read--member (member)
  "MEMBER of the staff as a candidate."
  (list (novablend-isolate (plist-get member :name)) (plist-get member :id)
        (novablend-line (or (plist-get member :hours) ""))))

(defun novablend-read--free-member (member)
  "MEMBER of an explanation as a candidate."
  (list (novablend-isolate (or (plist-get member :name) (plist-get member :id)))
        (plist-get member :id)
        (if (eq (plist-get member :free) t) "free"
          (novablend-line (or (plist-get member :reason) "not free")))))

(defun novablend-read-time (prompt salon options)
  "Read a free time at SALON with PROMPT, and return it as an `:appointmentTime'.
OPTIONS are more parameters of salons/availability."
  (novablend-read
   (novablend-read--at prompt salon) 'novablend-time
   (lambda (_ success failure)
     (novablend--call
      "salons/availability"
      `(:salonId ,(plist-get salon :id) :days ,novablend-book-days :onlyFree t :fields ["weekday" "slots"]
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
             (novablend-words
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

(defun novablend-read-phone (salon)
  "Read a phone number for a booking at SALON."
  (let ((default (or novablend-phone novablend-read--phone)))
    (setq novablend-read--phone
          (read-string (format-prompt (novablend-read--at "Phone number for the booking" salon)
                                      default)
                       nil t default))))

(provide 'novablend-read)
;;; novablend-read.el ends here
