;;; novablend.el --- Salons and appointments  -*- lexical-binding: t -*-

;; Author: The NovaBlend authors
;; Maintainer: The NovaBlend authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: calendar, comm
;; URL: https://example.com/NovaBlend
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Lists salons, shows their weeks, and books, moves, and cancels appointments
;; with the program `novablend', which runs in the background.
;;
;;   M-x novablend-salons        the salons
;;   M-x novablend-week          the free times and appointments of a week
;;   M-x novablend-book          book an appointment
;;   M-x novablend-appointments  the appointments
;;   M-x novablend-resolve       find out the outcome of bookings in doubt
;;
;; README.md is the manual.  The options are in the customization group `novablend'.

;;; Code:

(require 'novablend-appointments)
(require 'novablend-book)
(require 'novablend-change)
(require 'novablend-export)
(require 'novablend-resolve)
(require 'novablend-salons)
(require 'novablend-week)

(provide 'novablend)
;;; novablend.el ends here
