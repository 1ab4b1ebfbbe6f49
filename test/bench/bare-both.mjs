// Both floors in one process: the clients as they are, for what they take together.
import './bare-discord.mjs';
import './bare.mjs';
