import Domain
import NovaBlendAdapters

/// Checks that the journal can be read, and that no booking in it is in doubt.
struct JournalCheck: Check {
    let check = "journal"
    let journal: any BookingJournal

    var finding: Finding {
        do {
            let open = try journal.pending().count
            if open == 0 { return ok("no booking is in doubt") }
            return warn(
                open == 1 ? "1 booking is in doubt" : "\(open) bookings are in doubt",
                advice: "novablend resolve finds out what happened"
            )
        } catch {
            return fail(
                "\(error)",
                advice: "nothing can be booked until you move the file elsewhere; do not delete it"
            )
        }
    }
}

/// Checks that no booking of a different account is in doubt.
struct OtherAccountsCheck: Check {
    let check = "other-accounts"
    let accounts: OtherAccounts

    var finding: Finding {
        let entries = accounts.entries
        guard !entries.isEmpty else {
            return ok("no booking is in doubt")
        }
        let counts = entries.map { entry in
            entry.open.map { "\(entry.account): \($0)" }
                ?? "\(entry.account): its journal cannot be read"
        }
        return warn(
            "bookings in doubt: " + counts.joined(separator: ", "),
            advice: "run novablend resolve with the profile and the URL of that account"
        )
    }
}
