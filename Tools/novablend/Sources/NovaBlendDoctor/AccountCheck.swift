import NovaBlendAccounts

/// Reports whose data is used.
struct AccountCheck {
    let account: Account

    var finding: Finding {
        let place = account.server ?? "without an appointments URL"
        return Finding("account", .ok, "profile \(account.profile), \(place)")
    }
}
