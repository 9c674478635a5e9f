import Contract
import Domain
import JSON

/// The JSON of a salon that has every member. Its members are the ones that ``SalonCodec`` knows,
/// and its values replace those that the codec rejects.
struct SampleSalon {
    /// The names of the members of each object, by the object's path without indexes. The first
    /// path is empty, for the salon itself.
    private(set) var names: [String: [String]] = [:]
    /// Each value by its path without indexes, such as `exceptions[].date`.
    private(set) var values: [String: JSONFragment] = [:]

    static let salon: Salon = {
        let hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 9 * 60),
            closes: TimeOfDay(minuteOfDay: 18 * 60)
        )
        let date = CalendarDate(daysSince1970: 0)
        return Salon(
            id: SalonID(high: 0, low: 0),
            name: "Salon",
            location: "Berlin",
            phone: "030",
            hours: hours,
            slotMinutes: 30,
            timeZone: ZoneID("Europe/Berlin"),
            exceptions: [
                OpeningException(date: date, hours: []),
                OpeningException(date: date, hours: [hours]),
            ],
            leadMinutes: 1,
            furthestDays: 1,
            version: 1
        )
    }()

    init() {
        if let document = try? JSONDocument(parsing: SalonCodec.encode(Self.salon)) {
            add(document.root, at: "")
        }
    }

    private mutating func add(_ value: JSONValue, at path: String) {
        if values[path] == nil { values[path] = JSONFragment { $0.value(value) } }
        if let array = try? value.array() {
            for element in array { add(element, at: "\(path)[]") }
        }
        guard let object = try? value.object() else { return }
        for (name, member) in object {
            if names[path]?.contains(name) != true { names[path, default: []].append(name) }
            add(member, at: path.isEmpty ? name : "\(path).\(name)")
        }
    }
}
