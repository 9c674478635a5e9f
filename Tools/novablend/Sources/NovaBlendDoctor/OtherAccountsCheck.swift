import NovaBlendAdapters

/// Checks that no booking of a different account is in doubt.
struct OtherAccountsCheck {
    let accounts: OtherAccounts

    var finding: Finding {
        let entries = accounts.entries
        guard !entries.isEmpty else {
            return Finding("other-accounts", .ok, "no booking is in doubt")
        }
        let counts = entries.map { entry in
            entry.open.map { "\(entry.account): \($0)" }
                ?? "\(entry.account): its journal cannot be read"
        }
        return Finding(
            "other-accounts",
            .warn,
            "bookings in doubt: " + counts.joined(separator: ", "),
            advice: "run novablend resolve with the profile and the URL of that account"
        )
    }
}
