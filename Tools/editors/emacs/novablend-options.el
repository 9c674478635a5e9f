;;; novablend-options.el --- Options and faces of NovaBlend  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The customization group `novablend'.

;;; Code:

(defgroup novablend nil
  "Salons and appointments."
  :group 'applications
  :prefix "novablend-")

(defcustom novablend-program "novablend"
  "The program that all commands use: a name in variable `exec-path', or a path."
  :type 'string)

(defcustom novablend-arguments nil
  "Arguments of `novablend serve', such as \"--base-url\" and a URL.
With \"--sandbox\", it runs a temporary server with sample salons.  Without
arguments, its configuration file names the server.  After a change, use
\\[novablend-restart]."
  :type '(repeat string))

(defcustom novablend-phone nil
  "The phone number that is offered for a booking; nil for none."
  :type '(choice (const :tag "None" nil) string))

(defcustom novablend-email nil
  "The email address that is sent with each booking; nil for none."
  :type '(choice (const :tag "None" nil) string))

(defcustom novablend-confirm t
  "Whether to ask before an appointment is booked, moved, or cancelled."
  :type 'boolean)

(defcustom novablend-book-days 14
  "The number of days whose free times are offered for a booking or a move."
  :type '(integer :match (lambda (_widget value)
                           (and (integerp value) (<= 1 value 31)))))

(defcustom novablend-week-layout 'automatic
  "How `novablend-week' shows a week.
A grid has a column for each day, and an agenda a paragraph.  `automatic' means
a grid if the window is at least 74 columns wide."
  :type '(choice (const automatic) (const grid) (const agenda)))

(defcustom novablend-timeout 60
  "After how many seconds a call is reported that the program does not answer.
A booking or change is in doubt then.  The program itself gives up a server that
does not answer, by default after 20 s (its option \"--timeout\")."
  :type 'number)

(defcustom novablend-live-updates t
  "Whether buffers follow the changes that the program reports."
  :type 'boolean)

(defcustom novablend-org-file nil
  "The file that `novablend-export-org' offers; nil for none."
  :type '(choice (const :tag "None" nil) file))

(defcustom novablend-calendar-file nil
  "The file that `novablend-export-calendar' offers; nil for none."
  :type '(choice (const :tag "None" nil) file))

(defgroup novablend-faces nil
  "Faces of NovaBlend."
  :group 'novablend
  :group 'faces)

(defface novablend-heading
  '((t :inherit bold))
  "Names of salons and days.")

(defface novablend-today
  '((t :inherit novablend-heading :underline t))
  "The current day.")

(defface novablend-free
  '((((background light)) :foreground "#146c2e")
    (t :foreground "#7fd897"))
  "Times that can be booked.")

(defface novablend-own
  '((((background light)) :foreground "#0b3d91" :background "#dce8fc" :weight bold)
    (t :foreground "#cfe0ff" :background "#1f3a66" :weight bold))
  "Your own appointments.")

(defface novablend-booked
  '((((background light)) :background "#e9e9e6")
    (t :background "#3a3a40"))
  "Appointments that were not made from this machine.")

(defface novablend-moving
  '((t :inherit highlight))
  "The appointment that is being moved.")

(defface novablend-unavailable
  '((t :inherit shadow))
  "Times that cannot be booked.")

(defface novablend-doubt
  '((t :inherit warning))
  "Bookings and changes in doubt.")

(defface novablend-stale
  '((t :inherit warning))
  "Notes about lists that do not come from the server.")

(provide 'novablend-options)
;;; novablend-options.el ends here
