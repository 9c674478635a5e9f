import Contract
package import Domain
import NovaBlendAccounts
import Persistence
import WebPrimitives

/// The files with personal data of customers, of all accounts in the same cache and state directories: the
/// cached appointments and the journals.
///
/// What a server deletes disappears from the cache when the server says so, and an intent that has ended
/// has no contact data. This is for the rest: accounts that no one uses any more, bookings whose outcome was
/// never found out, damaged files, and a customer who must be forgotten at once.
package struct PersonalDataFiles: Sendable {
    /// What was removed from one account, and what was not.
    package struct Erasure: Sendable {
        /// The name of the account, see ``Account/name``.
        package let account: String
        /// The number of appointments that were removed from the cached list.
        package var appointments = 0
        /// The number of ended bookings in the journal whose hash of the phone number was removed.
        package var bookings = 0
        /// The number of damaged files that were deleted, because they cannot be searched.
        package var damagedFiles = 0
        /// The open bookings, whose phone number is evidence.
        package var open: [BookingIntent] = []
        /// Why something could not be searched or changed.
        package var problems: [String] = []

        /// Whether nothing was found.
        package var isEmpty: Bool {
            appointments == 0 && bookings == 0 && damagedFiles == 0 && open.isEmpty
                && problems.isEmpty
        }
    }

    private let cacheDirectory: String
    private let stateDirectory: String
    private let clock: any WallClock

    private static let list = AppointmentListCodec.name
    private static let retention = Duration.seconds(FileBookingJournal.retentionSeconds)
    /// How long after ``removeExpired()`` it looks again, in seconds, if nothing is known to expire before.
    private static let interval: Int64 = 86_400

    /// Creates the files. Both directories are absolute paths.
    package init(cacheDirectory: String, stateDirectory: String, clock: any WallClock) {
        (self.cacheDirectory, self.stateDirectory) = (cacheDirectory, stateDirectory)
        self.clock = clock
    }

    /// The names of all accounts that have files, sorted.
    private var accounts: [String] {
        let names = [cacheDirectory, stateDirectory].flatMap {
            DirectoryListing.names(in: "\($0)/\(Account.parent)")
        }
        return Set(names).filter { !$0.hasPrefix(".") }.sorted()
    }

    private func subdirectory(_ account: String) -> String { "\(Account.parent)/\(account)" }

    private func cache(of account: String) -> FileSnapshotStore {
        FileSnapshotStore(directory: cacheDirectory, subdirectory: subdirectory(account))
    }

    private func journal(of account: String) -> FileBookingJournal {
        FileBookingJournal(
            directory: stateDirectory,
            subdirectory: subdirectory(account),
            clock: clock
        )
    }
}

// MARK: - By age

extension PersonalDataFiles {
    /// Removes what is older than 30 days: the contact data of open bookings, ended intents, damaged files,
    /// and the contact data in lists that no server has confirmed for so long. Does nothing if nothing
    /// can have expired since the last time. What cannot be read or changed stays, and is tried again.
    package func removeExpired() {
        let now = clock.now
        guard let nextTime, nextTime <= now else { return }
        var next = now.advanced(bySeconds: Self.interval)
        for account in accounts {
            if let due = try? journal(of: account).removeExpired() { next = min(next, due) }
            let cache = cache(of: account)
            _ = try? cache.removeQuarantined(olderThan: Self.retention)
            if let due = try? removeContacts(in: cache, olderThan: now) { next = min(next, due) }
        }
        let state = FileSnapshotStore(directory: stateDirectory)
        let payload = Array("\(next.secondsSince1970)".utf8)
        _ = try? state.replace(marker, with: Snapshot(payload: payload, savedAt: now))
    }

    /// The name of the file that has the next time. The caches of profiles may be elsewhere.
    private var marker: String {
        "retention-" + String(FNV1a.hash(cacheDirectory.utf8), radix: 16)
    }

    /// When to look for what has expired; nil if no account has files. A time in the future at which
    /// the last look was shows that the clock was ahead.
    private var nextTime: Timestamp? {
        let long = Timestamp(secondsSince1970: 0)
        guard let last = try? FileSnapshotStore(directory: stateDirectory).load(marker),
            let seconds = Int64(String(decoding: last.payload, as: UTF8.self)),
            last.savedAt <= clock.now
        else { return accounts.isEmpty ? nil : long }
        return Timestamp(secondsSince1970: seconds)
    }

    /// Removes the contact data from the cached appointments if no server has confirmed them for 30 days.
    /// Returns when that will be; nil if there is nothing to remove.
    private func removeContacts(
        in cache: FileSnapshotStore,
        olderThan now: Timestamp
    ) throws -> Timestamp? {
        guard let savedAt = try cache.tail(of: Self.list, after: nil)?.savedAt else { return nil }
        let end = savedAt.advanced(bySeconds: FileBookingJournal.retentionSeconds)
        guard end <= now else { return end }
        try cache.update(Self.list) { current in
            // It may have been confirmed meanwhile.
            guard let current, current.savedAt == savedAt,
                let list = try? CachedAppointments.content(of: current)
            else { return nil }
            let rest = list.value.map(\.withoutContact)
            // The next load must not confirm a list without contact data.
            return rest == list.value && current.records.isEmpty
                ? nil : current.replacing(list, with: rest, isComplete: rest == list.value)
        }
        return nil
    }
}

// MARK: - By hand

extension PersonalDataFiles {
    /// Removes what all accounts have of the customer with this phone number. Numbers are compared as
    /// everywhere: by their last digits. Returns what was found in each account, and what had to stay. A
    /// dry run changes nothing.
    package func erase(customer phone: String, isDryRun: Bool = false) -> [Erasure] {
        accounts.map { account in
            var erasure = Erasure(account: account)
            eraseAppointments(phone, isDryRun, &erasure)
            eraseIntents(phone, isDryRun, &erasure)
            return erasure
        }.filter { !$0.isEmpty }
    }

    private func eraseIntents(_ phone: String, _ isDryRun: Bool, _ erasure: inout Erasure) {
        do {
            let found = try journal(of: erasure.account).erase(customer: phone, isDryRun: isDryRun)
            (erasure.bookings, erasure.open) = (found.erased, found.open)
        } catch {
            erasure.problems.append("\(error)")
        }
    }

    private func eraseAppointments(
        _ phone: String,
        _ isDryRun: Bool,
        _ erasure: inout Erasure
    ) {
        let cache = cache(of: erasure.account)
        do throws(StoreError) {
            do throws(StoreError) {
                erasure.appointments = try eraseListed(phone, isDryRun, cache, erasure.account)
            } catch {
                guard case .damaged = error.reason else { throw error }
                // A list that cannot be read cannot be searched. It is only a copy.
                if !isDryRun { try cache.remove(Self.list) } else { erasure.damagedFiles += 1 }
            }
            erasure.damagedFiles +=
                isDryRun
                ? try cache.quarantinedCount(Self.list) : try cache.removeQuarantined(Self.list)
        } catch {
            erasure.problems.append(error.description)
        }
    }

    /// Removes the customer's appointments from the cached list, and returns their number. The list is
    /// written again in any case, because a change that was appended to it may have replaced or deleted an
    /// appointment that is still in the file.
    private func eraseListed(
        _ phone: String,
        _ isDryRun: Bool,
        _ cache: FileSnapshotStore,
        _ account: String
    ) throws(StoreError) -> Int {
        func isOther(_ appointment: Appointment) -> Bool {
            appointment.booking.hasPhone(phone) != true
        }
        guard let current = try cache.load(Self.list) else { return 0 }
        let list = try CachedAppointments.content(of: current)
        if isDryRun { return list.value.count { !isOther($0) } }
        // A list that is being loaded must not be stored after this.
        FileChangeCounter(directory: stateDirectory, subdirectory: subdirectory(account)).advance()
        var count = 0
        var failure: StoreError?
        try cache.update(Self.list) { current in
            guard let current else { return nil }
            do throws(StoreError) {
                let list = try CachedAppointments.content(of: current)
                let rest = list.value.filter(isOther)
                count = list.value.count - rest.count
                // The server has them, so the list is not the whole one any more.
                return current.replacing(list, with: rest, isComplete: count == 0)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        return count
    }
}

private typealias CachedAppointments = StoredResource<AppointmentListCodec>

extension Snapshot {
    /// This snapshot of `list` with other elements. If it is not complete any more, it is loaded again as
    /// soon as the server can be reached.
    fileprivate func replacing(
        _ list: CachedValue<[Appointment]>,
        with elements: [Appointment],
        isComplete: Bool
    ) -> Snapshot {
        var metadata = SnapshotMetadata(metadata)
        metadata.isPart = metadata.isPart || !isComplete
        metadata.cursor = isComplete ? list.cursor : nil
        metadata.validators = isComplete ? list.validators : nil
        metadata.loadedAt = list.loadedAt
        return Snapshot(
            payload: AppointmentListCodec.encode(elements),
            savedAt: list.fetchedAt,
            metadata: metadata.bytes
        )
    }
}

extension Appointment {
    /// This appointment without the data of the customer.
    fileprivate var withoutContact: Appointment {
        var appointment = self
        (appointment.booking.phone, appointment.booking.email) = ("", nil)
        appointment.booking.note = nil
        return appointment
    }
}
