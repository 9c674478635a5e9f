import BackendKit
import Contract
import Domain
import Testing

@Suite("The sample salons")
struct SampleSalonsTests {
    @Test("together have everything that a salon can state")
    func features() {
        let salons = SampleSalons.all
        #expect(salons.count == 6)
        let services = salons.flatMap(\.services)
        let staff = salons.flatMap(\.staff)
        let days = salons.compactMap(\.weekly).map { weekly in
            Weekday.allCases.map { weekly[$0].count }
        }
        #expect(days.contains { $0.contains(0) && $0.contains(2) })
        let exceptions = salons.flatMap(\.exceptions).map(\.hours.count)
        #expect(Set(exceptions) == [0, 1, 2])
        #expect(
            services.contains { $0.bufferBefore > 0 } && services.contains { $0.bufferAfter > 0 }
        )
        #expect(services.contains { $0.price == nil } && services.contains { $0.price != nil })
        #expect(staff.contains { $0.services != nil } && staff.contains { $0.services == nil })
        #expect(staff.contains { $0.weekly != nil } && staff.contains { !$0.exceptions.isEmpty })
        #expect(salons.contains { ($0.seats ?? 1) > 1 && $0.staff.isEmpty })
        #expect(salons.contains { !$0.services.isEmpty && $0.staff.isEmpty })
        #expect(salons.contains { $0.leadMinutes > 0 && $0.furthestDays != nil })
    }

    @Test("include two that state nothing but what seed 000 has")
    func plain() {
        for index in [0, 2] {
            let salon = SampleSalons.all[index]
            let plain = Salon(
                id: salon.id,
                name: salon.name,
                location: salon.location,
                phone: salon.phone,
                hours: salon.hours
            )
            #expect(salon == plain)
        }
    }

    @Test("are ones that the backend accepts", arguments: SampleSalons.all)
    func valid(salon: Salon) throws {
        #expect(try SalonCodec.decode(SalonCodec.encode(salon)) == salon)
        #expect(SalonRules.problems(of: salon).isEmpty)
        for member in salon.staff {
            for id in member.services ?? [] {
                #expect(salon.services.contains { $0.id == id }, "\(member.name)")
            }
        }
    }
}
