import Domain

/// Checks that the journal can be read, and that no booking in it is in doubt.
struct JournalCheck {
    let journal: any BookingJournal

    var finding: Finding {
        do throws(JournalError) {
            let open = try journal.pending().count
            if open == 0 { return Finding("journal", .ok, "no booking is in doubt") }
            return Finding(
                "journal",
                .warn,
                open == 1 ? "1 booking is in doubt" : "\(open) bookings are in doubt",
                advice: "novablend resolve finds out what happened"
            )
        } catch {
            return Finding(
                "journal",
                .fail,
                error.reason,
                advice: "nothing can be booked until you move the file elsewhere; do not delete it"
            )
        }
    }
}
