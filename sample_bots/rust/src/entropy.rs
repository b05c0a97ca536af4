//! The bot's share in the shuffling of a tournament's deals: committed to first, revealed later.

use std::collections::HashMap;

use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};

use crate::v1::{Entropy, EntropyRequest, EntropyStep};

/// What was drawn for each tournament of this process, and kept.
pub(crate) struct Entropies {
    drawn: HashMap<String, Drawn>,
    draw: Box<dyn Fn() -> Option<Vec<u8>> + Send + Sync>,
}

struct Drawn {
    entropy: Vec<u8>,
    master_commitment: Vec<u8>,
}

impl Entropies {
    /// Drawn by the system's generator, which is meant for secrets.
    pub(crate) fn of_the_system() -> Self {
        let random = SystemRandom::new();
        Self::new(move || {
            let mut bytes = [0; 32];
            random.fill(&mut bytes).ok().map(|()| bytes.to_vec())
        })
    }

    /// Drawn by `draw`, which may have none to give.
    pub(crate) fn new(draw: impl Fn() -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self { drawn: HashMap::new(), draw: Box::new(draw) }
    }

    /// What to say to a request; none where it is better to say nothing. A bot plays without it, too.
    pub(crate) fn answer(&mut self, request: &EntropyRequest) -> Option<Entropy> {
        let value = match request.step() {
            EntropyStep::Unspecified => return None,
            EntropyStep::Commit => self.commit(request)?,
            EntropyStep::Reveal => self.reveal(request)?,
        };
        Some(Entropy { tournament_id: request.tournament_id.clone(), value, step: request.step })
    }

    fn commit(&mut self, request: &EntropyRequest) -> Option<Vec<u8>> {
        if !self.drawn.contains_key(&request.tournament_id) {
            let entropy = (self.draw)()?;
            let master_commitment = request.master_commitment.clone();
            self.drawn.insert(request.tournament_id.clone(), Drawn { entropy, master_commitment });
        }
        let drawn = &self.drawn[&request.tournament_id];
        Some(digest(&SHA256, &drawn.entropy).as_ref().to_vec())
    }

    fn reveal(&self, request: &EntropyRequest) -> Option<Vec<u8>> {
        let drawn = self.drawn.get(&request.tournament_id)?;
        (drawn.master_commitment == request.master_commitment).then(|| drawn.entropy.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;

    fn request(step: EntropyStep, master: &[u8]) -> EntropyRequest {
        EntropyRequest { tournament_id: "spring".to_owned(), step: step.into(), master_commitment: master.to_vec() }
    }

    fn counting() -> Entropies {
        let number = AtomicU8::new(0);
        Entropies::new(move || Some(vec![number.fetch_add(1, Ordering::Relaxed); 32]))
    }

    #[test]
    fn what_is_revealed_is_what_was_committed_to() {
        let mut entropies = Entropies::of_the_system();

        let commit = entropies.answer(&request(EntropyStep::Commit, b"m")).unwrap();
        let reveal = entropies.answer(&request(EntropyStep::Reveal, b"m")).unwrap();

        assert_eq!(commit.step(), EntropyStep::Commit);
        assert_eq!(reveal.step(), EntropyStep::Reveal);
        assert_eq!(commit.value, digest(&SHA256, &reveal.value).as_ref());
    }

    #[test]
    fn asked_to_commit_again_it_says_the_same() {
        let mut entropies = counting();

        let first = entropies.answer(&request(EntropyStep::Commit, b"m"));
        let again = entropies.answer(&request(EntropyStep::Commit, b"m"));

        assert!(first.is_some());
        assert_eq!(first, again);
    }

    #[test]
    fn nothing_is_revealed_to_another_master_or_without_a_commitment() {
        let mut entropies = counting();
        assert_eq!(entropies.answer(&request(EntropyStep::Reveal, b"m")), None);

        entropies.answer(&request(EntropyStep::Commit, b"m"));

        assert_eq!(entropies.answer(&request(EntropyStep::Reveal, b"other")), None);
        assert!(entropies.answer(&request(EntropyStep::Reveal, b"m")).is_some());
    }

    #[test]
    fn a_step_that_is_not_known_here_gets_no_answer() {
        let mut newer = request(EntropyStep::Commit, b"m");
        newer.step = 9;

        assert_eq!(counting().answer(&newer), None);
    }
}
